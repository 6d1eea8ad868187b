/*===- pieces.h - The state of a job, piece by piece ----------------------===*\
|*
|* How arguments leave a job and come back where nobody has them whole: a piece
|* is a box of a global tensor, dense and row-major, without the padding of
|* shards. What goes out of one job goes into another one, whatever the mesh,
|* the stages or the processes of the two are.
|*
|* All are about the entry point that the job is in, and called between steps.
|*
\*===----------------------------------------------------------------------===*/

#ifndef TESSERA_PIECES_H
#define TESSERA_PIECES_H

#include "tessera/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A box of an argument, `size[d]` indices from `begin[d]` on in each dimension
    d of the global tensor, and who hands it out. */
typedef struct TesseraPiece {
  int32_t argument;
  /** A rank that holds all of it. */
  int32_t rank;
  const int64_t *begin, *size;
} TesseraPiece;

/** Divides these arguments, by their numbers, into pieces: every element is in
    exactly one, and the pieces of one argument are the cells of a grid. Of the
    ranks that hold a piece the one hands it out that has the fewest bytes to
    hand out until then. All processes of a job get the same list, valid until
    the next call. TESSERA_INVALID if ranks hold parts of a sum. */
TESSERA_EXPORT TesseraStatus tessera_job_divide(TesseraJob *,
                                                const int32_t *arguments,
                                                int32_t argument_count,
                                                const TesseraPiece **pieces,
                                                int64_t *piece_count);

/** Whether `rank` runs in this process. */
TESSERA_EXPORT int32_t tessera_job_has_rank(const TesseraJob *, int32_t rank);

/** Copies piece `number` of the last division, whose rank runs in this process,
    as it is now, to `data`. */
TESSERA_EXPORT TesseraStatus tessera_job_get_piece(TesseraJob *, int64_t number,
                                                   void *data);

/** What `tessera_job_set_argument` does, from boxes: begins with argument
    `index`, on the ranks of this process. Elements that no box brings until
    `tessera_job_end_argument` are undefined. */
TESSERA_EXPORT TesseraStatus tessera_job_begin_argument(TesseraJob *,
                                                        int32_t index);

/** Whether a rank of this process holds an element of this box of the argument
    that was begun. */
TESSERA_EXPORT int32_t tessera_job_needs_box(const TesseraJob *,
                                             const int64_t *begin,
                                             const int64_t *size);

/** Copies the dense box at `data` to all ranks of this process, to each what it
    holds of it. */
TESSERA_EXPORT TesseraStatus tessera_job_set_box(TesseraJob *,
                                                 const int64_t *begin,
                                                 const int64_t *size,
                                                 const void *data);

/** Ends what `tessera_job_begin_argument` has begun. */
TESSERA_EXPORT TesseraStatus tessera_job_end_argument(TesseraJob *);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_PIECES_H */
