"""A compiled function's calling convention: from arrays of JAX or NumPy to memory of the ranks, and back.

Where JAX has a device for each rank, arrays are shared shard by shard, without a copy if they lie as the program wants them. Elsewhere ranks
take their parts of whole arrays and write them. Results are new memory, which JAX adopts as it is; a donated argument is copied
there by the ranks, and deleted.
"""

import operator
from array import array

import numpy as np

from .buffers import ResultBuffers, dtype_of, lies_in_rows
from .errors import TesseraError
from .host_callbacks import HostCallbacks
from .entry_points import describe
from .trees import is_key


# The result by which a program says how many effects it has had (`jax.debug.print`, `io_callback`).
EFFECTS = "effects"
# How an argument is handed over: as an array of JAX that is whole on one device, or whose shards are those of the ranks; or looked at each time.
_WHOLE, _SHARDS, _ANY = range(3)


class NotEmbedded(Exception):
    """XLA cannot call the program of a function."""


class Executable:
    """A program with what JAX knows of the function that it was compiled from, for arguments of one set of types.

    program    the `Program`.
    lowered    JAX's `Lowered`.
    """

    def __init__(self, program, lowered, numpy_results):
        import jax

        self.program, self.lowered, self.numpy_results = program, lowered, numpy_results
        self.in_tree, self.out_tree = lowered.in_tree, lowered.out_tree
        compile_args = lowered._lowering.compile_args
        self.kept = sorted(compile_args["kept_var_idx"])
        # Which arguments and results are references, and those that are captured, which come behind all arguments.
        self.references = compile_args.get("mut")
        if self.references:
            self.kept += [self.in_tree.num_leaves + number for number in range(len(self.references.in_mut))]
        self.out_avals = compile_args["global_out_avals"]
        self.host_functions = compile_args.get("host_callbacks") or ()
        # The number of effects is the last one, and stays in the job.
        self.results = program.results[:-1] if program.results and program.results[-1]["name"] == EFFECTS else program.results
        if len(self.kept) != len(program.arguments) or len(self.out_avals) != len(self.results):
            raise NotImplementedError(
                f"expected {len(self.kept)} arguments and {len(self.out_avals)} results in the program, got {len(program.arguments)} and "
                f"{len(self.results)}: captured constants as arguments are not supported"
            )
        donated = {number: info.donated for number, info in enumerate(jax.tree.leaves(lowered.args_info))}
        # JAX deletes what it could use.
        self.deleted = [leaf for leaf, argument in zip(self.kept, program.arguments) if donated.get(leaf) and argument["donated"] is not None]
        self.takes_key = [is_key(aval) for aval in compile_args["global_in_avals"]]
        self.types = [(tuple(argument["shape"]), dtype_of(argument["dtype"])) for argument in program.arguments]
        self.placement = Placement(program, compile_args)
        self.argument_shardings = [self.placement.argument_sharding(index) for index in range(len(program.arguments))]
        self.result_shardings = [self.placement.result_sharding(index) for index in range(len(self.results))]
        self._prepare_results(bool(compile_args.get("committed")))

    def _prepare_results(self, committed):
        """Decides for every result who writes it, each rank its shard or all together the whole, and what becomes of that."""
        ranks, shapes = self.placement.ranks, []
        # By result, and by result and rank: the number of the piece of memory; -1 for none.
        self.whole_pieces, self.shard_pieces, self.makers = [], [], []
        for index, (result, aval) in enumerate(zip(self.results, self.out_avals)):
            first, dtype = len(shapes), dtype_of(result["dtype"])
            if self.placement.devices and not self.numpy_results and self.result_shardings[index] is not None:
                shapes += [(tuple(result["local_shape"]), dtype)] * ranks
                self.whole_pieces.append(-1)
                self.shard_pieces += range(first, first + ranks)
                make = self.placement.sharded_maker(physical(aval), self.result_shardings[index], first)
            else:
                shapes.append((tuple(result["shape"]), dtype))
                self.whole_pieces.append(first)
                self.shard_pieces += [-1] * ranks
                make = operator.itemgetter(first) if self.numpy_results else self.placement.whole_maker(physical(aval), first, committed)
            self.makers.append(_key_maker(make, aval) if is_key(aval) else make)
        for _ in self.program.results[len(self.results) :]:
            self.whole_pieces.append(-1)
            self.shard_pieces += [-1] * ranks
        self.buffers = ResultBuffers(shapes)
        self.gives_shards = any(piece >= 0 for piece in self.shard_pieces)

    def plan(self, leaves):
        """How the arguments of calls like this one are handed over; for all calls with arguments of the same types and shardings."""
        return self._plans(self._dereference(leaves)[0])

    def _plans(self, leaves):
        # Of a captured reference the arguments of a call do not say how it lies.
        return [self._plan(index, leaves[leaf]) if leaf < self.in_tree.num_leaves else _ANY for index, leaf in enumerate(self.kept)]

    def _plan(self, index, leaf):
        import jax

        if not isinstance(leaf, jax.Array) or self.takes_key[index] or not hasattr(leaf, "unsafe_buffer_pointer"):
            return _ANY
        if (tuple(leaf.shape), leaf.dtype) != self.types[index] or not lies_in_rows(leaf):
            return _ANY
        if leaf.sharding.num_devices == 1:
            return _WHOLE
        wanted = self.argument_shardings[index]
        return _SHARDS if wanted is not None and self.placement.agrees(leaf.sharding, wanted, leaf.ndim) else _ANY

    def __call__(self, leaves, plan=None):
        """The leaves of the results for those of all arguments that are not static."""
        if self.references:
            leaves, references = self._dereference(leaves)
            return self._update(references, self._call(leaves, plan or self._plans(leaves)))
        return self._call(leaves, plan or self._plans(leaves))

    def _dereference(self, leaves):
        """The arguments with arrays in the place of references, and with captured ones; and the references in the order of the program's arguments."""
        if not self.references:
            return leaves, []
        held = [*leaves, *self.references.in_mut]
        return [leaf._refs._buf if hasattr(leaf, "_refs") else leaf for leaf in held], [held[leaf] for leaf in self.kept]

    def without_references(self, results):
        """Of one thing for each result of the program those for the results of the function."""
        if not self.references:
            return results
        return [result for index, result in zip(self.references.out_mut, results) if index is None]

    def _update(self, references, results):
        """Gives references their new values, and returns the other results."""
        import jax

        for index, result in zip(self.references.out_mut, results):
            if index is not None:
                references[index]._refs._buf._replace_with(result if isinstance(result, jax.Array) else jax.numpy.asarray(result))
        return self.without_references(results)

    def _call(self, leaves, plan):
        """The same, where all references are arrays."""
        keep, wholes, shards, takes_shards, no_shards = [], [], [], False, [0] * self.placement.ranks
        for index, (leaf, how) in enumerate(zip(self.kept, plan)):
            value = leaves[leaf]
            if how == _ANY:
                value = self._take(index, value)
                keep.append(value)
                how = _SHARDS if isinstance(value, list) else _WHOLE
            elif how == _SHARDS:
                value = value.block_until_ready()._arrays
            else:
                value.block_until_ready()
            if how == _SHARDS:
                takes_shards = True
                wholes.append(0)
                shards += [shard.unsafe_buffer_pointer() for shard in value]
            else:
                wholes.append(value.__array_interface__["data"][0] if type(value) is np.ndarray else value.unsafe_buffer_pointer())
                shards += no_shards
        pieces, addresses = self.buffers.allocate()
        addresses.append(0)
        wholes, shards = array("Q", wholes), array("Q", shards) if takes_shards else None
        whole_results = array("Q", [addresses[piece] for piece in self.whole_pieces])
        result_shards = array("Q", [addresses[piece] for piece in self.shard_pieces]) if self.gives_shards else None
        self._step([pointers.buffer_info()[0] if pointers else None for pointers in (wholes, shards, whole_results, result_shards)])
        if not self.numpy_results:
            for leaf in self.deleted:
                if hasattr(leaves[leaf], "delete"):
                    leaves[leaf].delete()
        return [make(pieces) for make in self.makers]

    def _step(self, memory):
        """One step on memory at these addresses."""
        if not self.host_functions:
            return self.program.job.call(*memory)
        host = HostCallbacks(self.host_functions, self.placement.ranks)
        try:
            self.program.job.call(*memory, host.address)
        except TesseraError as error:
            raise error from host.error
        finally:
            host.close()

    def _take(self, index, leaf):
        """The argument as one array of NumPy or of JAX on one device, or as the shards of the ranks."""
        import jax

        shape, dtype = self.types[index]
        if self.takes_key[index]:
            leaf = jax.random.key_data(leaf)
        name, wanted = self.program.arguments[index]["name"], self.argument_shardings[index]
        _check_range(name, leaf)
        taken = leaf if isinstance(leaf, jax.Array) else np.asarray(leaf)
        if taken.dtype != dtype:
            taken = taken.astype(jax.dtypes.canonicalize_dtype(taken.dtype), copy=False)
        if tuple(taken.shape) != shape or taken.dtype != dtype:
            raise TypeError(f"argument '{name}': expected {describe(shape, dtype)}, got {describe(taken.shape, taken.dtype)}")
        if isinstance(taken, jax.Array) and taken.sharding.num_devices > 1 and self.placement.devices and wanted is not None:
            placed = jax.device_put(taken, wanted)
            if lies_in_rows(placed):
                return placed.block_until_ready()._arrays
        return np.asarray(taken, order="C")


def _check_range(name, value):
    """Raises OverflowError, as JAX does, for a number of Python that the type has no room for which JAX gives it."""
    import jax

    if isinstance(value, int) and not isinstance(value, bool):
        dtype = jax.dtypes.canonicalize_dtype(np.int64)
        if not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
            raise OverflowError(f"argument '{name}': expected a number of type {dtype.name}, got {value}")


def _key_maker(make, aval):
    """A maker of the random keys whose bits another one makes."""
    import jax

    impl = aval.dtype._impl.name
    return lambda pieces: jax.random.wrap_key_data(make(pieces), impl=impl)


class Placement:
    """Which of JAX's devices stand for the ranks, and how arrays are laid out over them.

    devices  one for each rank; empty where JAX has fewer, or the program has pipeline ranks or devices of its own.
    """

    def __init__(self, program, compile_args):
        from jax.sharding import Mesh, NamedSharding

        self.program, self.ranks = program, program.ranks
        self.devices, self.mesh, self.one_device = [], None, None
        given = [*compile_args["in_shardings"], *compile_args["out_shardings"], *compile_args.get("intermediate_shardings", ())]
        meshes = [sharding.mesh for sharding in given if isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, Mesh)]
        self.given_results = compile_args["out_shardings"]
        manifest = program.manifest
        axes = manifest["mesh"]
        ordered = "device_order" in manifest or any("device_order" in tensor for tensor in [*program.arguments, *program.results])
        if not meshes or program.backend != "local" or len(manifest["programs"]) > 1 or ordered or meshes[0].size != self.ranks or self.ranks == 1:
            self.single = next((device for device in map(_first_device, given) if device), None)
            return
        self.single = None
        self.devices = list(meshes[0].devices.flat)
        names, sizes = [axis["name"] for axis in axes], [axis["size"] for axis in axes]
        same = dict(meshes[0].shape) == dict(zip(names, sizes)) and list(meshes[0].axis_names) == names
        self.mesh = meshes[0] if same else Mesh(meshes[0].devices.reshape(sizes), names)
        self.agreements = {}

    def _sharding_of(self, tensor):
        """The sharding of a tensor of the program over the devices; None if JAX has no word for it."""
        from jax.sharding import NamedSharding, PartitionSpec

        if not self.devices or "unreduced" in tensor:
            return None
        if any("pre" in axis for axes in tensor["sharding"] for axis in axes):
            return None
        sizes = self.mesh.shape
        shards = [int(np.prod([sizes[axis["axis"]] for axis in axes], dtype=np.int64)) for axes in tensor["sharding"]]
        if any(count * part != whole for count, part, whole in zip(shards, tensor["local_shape"], tensor["shape"])):
            return None
        names = [tuple(axis["axis"] for axis in axes) for axes in tensor["sharding"]]
        while names and not names[-1]:  # As JAX writes it.
            names.pop()
        return NamedSharding(self.mesh, PartitionSpec(*(entry[0] if len(entry) == 1 else entry or None for entry in names)))

    def argument_sharding(self, index):
        """None where JAX has no devices for the ranks, or no word for it."""
        return self._sharding_of(self.program.arguments[index]) if self.ranks > 1 else self.on_one_device()

    def on_one_device(self):
        """The sharding of what is not divided."""
        from jax.sharding import SingleDeviceSharding

        if self.one_device is None:
            self.one_device = SingleDeviceSharding(self.single or _default_device())
        return self.one_device

    def result_sharding(self, index):
        """As the user has asked for it, if that is what the program does."""
        from jax.sharding import Sharding

        tensor, given = self.program.results[index], self.given_results[index]
        if self.ranks == 1:
            return self.on_one_device()
        found = self._sharding_of(tensor)
        if found is not None and isinstance(given, Sharding) and self.agrees(given, found, len(tensor["shape"])):
            return given
        return found

    def agrees(self, sharding, wanted, rank):
        """Whether arrays of `rank` dimensions with one sharding have the shards of the other, on the same devices in their order."""
        key = (id(sharding), id(wanted), rank)
        if key not in self.agreements:
            if len(self.agreements) > 4096:
                self.agreements.clear()
            # Both are kept, so that their identity stays theirs.
            try:
                same = list(sharding._device_assignment) == self.devices and sharding.is_equivalent_to(wanted, rank)
            except Exception:  # Of another kind.
                same = False
            self.agreements[key] = same, sharding, wanted
        return self.agreements[key][0]

    def sharded_maker(self, aval, sharding, first):
        """A function from the pieces of memory that a call has written to a result, whose shards begin with piece `first`."""
        adopt, devices, last = _adopt_function(), self.devices, first + self.ranks
        return lambda pieces: adopt(aval, sharding, pieces[first:last], devices, True)

    def whole_maker(self, aval, piece, committed):
        """As `sharded_maker`, of a result that is one piece: over all devices, or on one."""
        import jax
        from jax.sharding import NamedSharding, PartitionSpec

        if self.devices:
            everywhere = NamedSharding(self.mesh, PartitionSpec())
            return lambda pieces: jax.device_put(pieces[piece], everywhere)
        adopt, sharding, committed = _adopt_function(), self.on_one_device(), committed and self.single is not None
        devices = list(sharding.device_set)
        return lambda pieces: adopt(aval, sharding, [pieces[piece]], devices, committed)


def _first_device(sharding):
    """The first device of a sharding; None if it has none, as those of an abstract mesh."""
    try:
        return list(sharding._device_assignment)[0]
    except (AttributeError, ValueError):
        return None


def _default_device():
    import jax

    device = jax.config.jax_default_device
    return device if isinstance(device, jax.Device) else jax.local_devices(backend=device)[0]


def physical(aval):
    """The type of what an array is made of: of random keys their bits."""
    if not is_key(aval):
        return aval
    from jax._src.core import physical_aval

    return physical_aval(aval)


def _adopt_function():
    """What makes NumPy arrays the shards of an array of JAX, without a copy where they are aligned."""
    from jax._src.lib import xla_client

    return xla_client.batched_device_put
