import os
import pathlib
import stat
import tempfile
import unittest

from tessera.files import write_text


class WriteText(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_replaces_whole_files_and_keeps_their_permissions(self):
        file = self.folder / "file"
        write_text(file, "old")
        file.chmod(0o604)
        write_text(file, "new")
        self.assertEqual((file.read_text(), stat.S_IMODE(file.stat().st_mode)), ("new", 0o604))
        self.assertEqual(os.listdir(self.folder), ["file"])

    def test_follows_links(self):
        link = self.folder / "link"
        link.symlink_to("target")
        for text in ("first", "second"):
            write_text(link, text)
            self.assertEqual((link.is_symlink(), (self.folder / "target").read_text()), (True, text))

    def test_writes_through_devices(self):
        link = self.folder / "null"
        link.symlink_to("/dev/null")
        write_text(link, "text")
        self.assertTrue(link.is_symlink() and link.is_char_device())

    def test_names_what_cannot_be_written(self):
        full = self.folder / "full"
        full.symlink_to("/dev/full")
        for path in (full, self.folder / "missing" / "file"):
            with self.assertRaises(OSError) as caught:
                write_text(path, "text")
            self.assertEqual(caught.exception.filename, str(path))
        self.assertEqual(os.listdir(self.folder), ["full"])


if __name__ == "__main__":
    unittest.main()
