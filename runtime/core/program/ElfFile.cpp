//===- ElfFile.cpp --------------------------------------------------------===//

#include "ElfFile.h"

#include "tessera/Support/File.h"

#include <cstring>
#include <vector>

#include <elf.h>

using namespace tessera;
using namespace tessera::runtime;

#if defined(__x86_64__)
static constexpr uint16_t ownMachine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr uint16_t ownMachine = EM_AARCH64;
#else
#error "the machine's ELF number is missing here"
#endif

/// Reads `count` objects of type T at `offset`; fails when they do not lie
/// within the file.
template <typename T>
static Fallible<std::vector<T>> readArray(InputFile &file, uint64_t offset,
                                          uint64_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T))
    return file.failure("damaged or truncated ELF file");
  std::vector<T> array(count);
  if (Fallible<void> found = file.seek(offset); !found)
    return found.failure();
  if (Fallible<void> read = file.read(array.data(), count * sizeof(T)); !read)
    return read.failure();
  return array;
}

static Fallible<Elf64_Ehdr> readHeader(InputFile &file) {
  Fallible<std::vector<Elf64_Ehdr>> headers = readArray<Elf64_Ehdr>(file, 0, 1);
  if (!headers || std::memcmp(headers->front().e_ident, ELFMAG, SELFMAG) != 0)
    return file.failure("not a compiled model (no ELF file)");
  Elf64_Ehdr header = headers->front();
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN)
    return file.failure("not a compiled model (no 64-bit shared object)");
  if (header.e_machine != ownMachine)
    return file.failure("compiled for ELF machine " +
                        std::to_string(header.e_machine) +
                        ", this machine is " + std::to_string(ownMachine));
  return header;
}

Fallible<std::string> runtime::readElfSection(const std::string &path,
                                              const std::string &section) {
  Fallible<InputFile> file = InputFile::open(path);
  if (!file)
    return file.failure();
  Fallible<Elf64_Ehdr> header = readHeader(*file);
  if (!header)
    return header.failure();
  auto sections =
      readArray<Elf64_Shdr>(*file, header->e_shoff, header->e_shnum);
  if (!sections)
    return sections.failure();
  if (header->e_shstrndx >= sections->size())
    return file->failure("not a compiled model (no section " + section + ")");
  const Elf64_Shdr &namesHeader = (*sections)[header->e_shstrndx];
  auto names =
      readArray<char>(*file, namesHeader.sh_offset, namesHeader.sh_size);
  if (!names)
    return names.failure();
  names->push_back('\0');
  for (const Elf64_Shdr &candidate : *sections) {
    if (candidate.sh_name >= names->size() ||
        section != names->data() + candidate.sh_name ||
        candidate.sh_type == SHT_NOBITS)
      continue;
    auto bytes = readArray<char>(*file, candidate.sh_offset, candidate.sh_size);
    if (!bytes)
      return bytes.failure();
    std::string content(bytes->begin(), bytes->end());
    content.resize(content.find_last_not_of('\0') + 1);
    return content;
  }
  return file->failure("not a compiled model (no section " + section + ")");
}
