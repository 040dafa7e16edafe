"""What `cmake --install` copies, as a desktop, a shell and man meet it.

    install_test.py HEADLIGHT CMAKE BUILD_FOLDER WINDOW      WINDOW: 1, or 0 for a build without the window

Checks of a program that is not there are skipped by its name.
"""
import gzip
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WINDOW = sys.argv.pop() == "1"
BUILD = sys.argv.pop()
CMAKE = sys.argv.pop()
PROGRAM = os.path.abspath(sys.argv.pop())
ID = "org.headlight.Headlight"
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8", **options).stdout


def options_in_help():
    """{command: its options, long and short}, and the commands of the overview."""
    commands = re.findall(r"^  headlight (?!help )([a-z]+) ", output(PROGRAM, "--help"), re.M)
    options = {}
    for command in commands:
        found = re.findall(r"^  (?:(-\w), |    )(--[a-z-]+)", output(PROGRAM, command, "--help"), re.M)
        options[command] = {name for names in found for name in names if name}
    return options


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        environment = dict(os.environ, DESTDIR=cls.folder.name)
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", "/usr"], check=True, env=environment,
                       stdout=subprocess.DEVNULL)
        cls.usr = pathlib.Path(cls.folder.name) / "usr"
        cls.options = options_in_help()
        cls.completion = cls.usr / "share/bash-completion/completions/headlight"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def need(self, program):
        if not shutil.which(program):
            self.skipTest(f"{program} is not installed")

    def complete(self, *words):
        """What bash offers behind these words, the last of which is being typed."""
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  'eval "$(complete -p headlight | sed "s/.*-F \\([^ ]*\\).*/\\1/")"; '
                  '[ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\\n" "${COMPREPLY[@]}"')
        return output("bash", "-c", script, "bash", self.completion, *words, cwd=self.usr / "bin").split()

    def typed_into_zsh(self, keys, awaited):
        """What a zsh in a terminal shows behind its prompt when these keys were typed."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder.name)
            os.execvpe("zsh", ["zsh", "-f", "-i"], dict(os.environ, TERM="dumb", PS1="> "))

        def read(until, seconds):
            text, end = "", time.monotonic() + seconds
            while not re.search(until, text) and time.monotonic() < end:
                if select.select([terminal], [], [], 0.1)[0]:
                    text += os.read(terminal, 65536).decode("utf-8", "replace")
                    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x07", "", text)  # of the terminal, and its bell
            return text

        os.write(terminal, f"fpath=({self.usr}/share/zsh/vendor-completions $fpath); autoload -U compinit; compinit -u "
                           "-D; unsetopt prompt_sp; bindkey '^I' complete-word; echo re''ady\n".encode())
        read(r"ready\s+> ", 20)
        os.write(terminal, keys.encode())
        said = read(re.escape(awaited), 20)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
        return said

    def test_every_file_is_there_and_no_other(self):
        expected = {"bin/headlight", "share/man/man1/headlight.1.gz", "share/bash-completion/completions/headlight",
                    "share/zsh/vendor-completions/_headlight", "share/fish/vendor_completions.d/headlight.fish",
                    "share/doc/headlight/copyright", "share/doc/headlight/changelog.gz"}
        if WINDOW:
            expected |= {f"share/applications/{ID}.desktop", f"share/metainfo/{ID}.metainfo.xml",
                         f"share/mime/packages/{ID}.xml", f"share/icons/hicolor/scalable/apps/{ID}.svg"}
        files = {str(path.relative_to(self.usr)) for path in self.usr.rglob("*") if path.is_file()}
        modules = {file for file in files if re.fullmatch(r"lib(/[^/]+-[^/]+)?/headlight/headlight_pdf\.so", file)}
        self.assertEqual(len(modules), 1, "the libraries of PDF, loaded with the first one")
        licences = {file for file in files if file.startswith("share/doc/headlight/licenses/")}
        manual = {file for file in files
                  if re.match(r"share/doc/headlight/(docs|resources/lessons|scripts)/", file)}
        self.assertEqual(files - licences - modules - manual, expected)
        self.assertEqual({pathlib.Path(file).name for file in licences},
                         {"glove-PDDL-1.0.txt", "inter-OFL-1.1.txt", "mathjax-Apache-2.0.txt",
                          "wink-embeddings-MIT.txt"})
        self.assertEqual(output(self.usr / "bin/headlight", "--version"), output(PROGRAM, "--version"))

    def test_every_page_of_the_manual_leads_to_what_is_installed(self):
        folder = self.usr / "share/doc/headlight"
        pages = {path.name for path in (folder / "docs").glob("*.md")}
        self.assertEqual(pages, {path.name for path in (SOURCE / "docs").glob("*.md")})
        self.assertEqual({path.name for path in (folder / "docs/catalogue").iterdir()},
                         {path.name for path in (SOURCE / "docs/catalogue").iterdir()})
        for page in folder.rglob("*.md"):
            text = re.sub(r"`[^`]*`", "", page.read_text(encoding="utf-8"))
            for link in re.findall(r"\]\(([^)# ]+)[^)]*\)", text):
                if not re.match(r"[a-z]+:", link):
                    self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")
        index = (folder / "docs/manual.md").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"\]\(([a-z-]+\.md)\)", index)), pages - {"manual.md"})
        self.assertFalse((folder / "docs/adr").exists())

    def test_errors_and_help_name_pages_that_can_be_opened(self):
        with tempfile.TemporaryDirectory() as name:
            pathlib.Path(name, "a.npy").write_bytes(b"\x93NUMPY\x01\x00" + bytes(120))
            run = subprocess.run([self.usr / "bin/headlight", "run", "dot", "--inputs", "a.npy", "-o", "t.json"],
                                 cwd=name, stderr=subprocess.PIPE, encoding="utf-8")
        pages = re.findall(r"/\S*\.md", run.stderr)
        self.assertEqual([pathlib.Path(page).name for page in pages], ["files.md", "other-programs.md"], run.stderr)
        self.assertTrue(all(os.path.isfile(page) for page in pages), run.stderr)
        self.assertIn(f"{pathlib.Path(pages[0]).parent}\n", output(self.usr / "bin/headlight", "--help"))

    @unittest.skipUnless(WINDOW, "this build has no window")
    def test_the_desktop_file_is_valid(self):
        self.need("desktop-file-validate")
        output("desktop-file-validate", self.usr / f"share/applications/{ID}.desktop")

    @unittest.skipUnless(WINDOW, "this build has no window")
    def test_the_metainfo_is_valid(self):
        self.need("appstreamcli")
        output("appstreamcli", "validate", "--no-net", self.usr / f"share/metainfo/{ID}.metainfo.xml")

    @unittest.skipUnless(WINDOW, "this build has no window")
    def test_the_programs_own_files_are_known_by_what_they_begin_with(self):
        self.need("update-mime-database")
        self.need("gio")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copytree("/usr/share/mime/packages", folder / "mime/packages")
            shutil.copy(self.usr / f"share/mime/packages/{ID}.xml", folder / "mime/packages")
            subprocess.run(["update-mime-database", folder / "mime"], check=True, stderr=subprocess.DEVNULL)
            for file in "t.json", "t.safetensors":
                output(PROGRAM, "run", "dot", "-o", file, cwd=folder)
            (folder / "s.json").write_text('{\n  "format": "headlight-session/1"\n}')
            (folder / "m.json").write_text('{"format": "headlight-mechanism/1", "name": "x", "spec": {}}')
            (folder / "o.json").write_text('{"title": "of headlight-session/1"}')
            environment = dict(os.environ, XDG_DATA_DIRS=name, XDG_DATA_HOME=name, LC_ALL="C.UTF-8")
            for file, kind in {"t.json": "x-headlight-trace", "t.safetensors": "x-headlight-trace-tensors",
                               "s.json": "x-headlight-session", "m.json": "x-headlight-mechanism",
                               "o.json": "json"}.items():
                said = output("gio", "info", "-a", "standard::content-type", folder / file, env=environment)
                self.assertIn(f"standard::content-type: application/{kind}\n", said, file)

    def test_the_manual_page_has_every_option_and_no_other(self):
        page = gzip.open(self.usr / "share/man/man1/headlight.1.gz", "rt", encoding="utf-8").read()
        sections = re.split(r"^\.SS headlight ([a-z]+) .*$", page.split(".SH EXIT STATUS")[0], flags=re.M)
        found = {}
        for command, text in zip(sections[1::2], sections[2::2]):
            lines = re.findall(r"^\.TP\n(.*)$", text, re.M)
            found[command] = {name for line in lines
                              for name in re.findall(r"\\fB(-[a-zA-Z-]+)\\fR", line.replace("\\-", "-"))}
        self.assertEqual(found, self.options)

    def test_man_prints_the_page_without_a_warning(self):
        self.need("man")
        run = subprocess.run(["man", "--warnings", "-l", self.usr / "share/man/man1/headlight.1.gz"], check=True,
                             capture_output=True, encoding="utf-8",
                             env=dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="100", MAN_KEEP_FORMATTING=""))
        self.assertEqual(run.stderr, "")
        self.assertIn("--vector-cells", run.stdout)

    def test_bash_completes_commands_names_words_and_options(self):
        output("bash", "-n", self.completion)
        self.assertEqual(self.complete("headlight", "ren"), ["render"])
        self.assertIn("scaled_dot_product", self.complete("headlight", "run", "sca"))
        self.assertTrue(all(word.startswith("sca") for word in self.complete("headlight", "run", "sca")))
        self.assertEqual(self.complete("headlight", "run", "--split", "ch"), ["characters"])
        self.assertEqual(self.complete("headlight", "render", "--view", "=", "heat"), ["heatmap"])
        self.assertEqual(self.complete("headlight", "render", "--view", "="), self.complete("headlight", "render", "--view", ""))
        self.assertEqual(self.complete("headlight", "attend", "dates-add"), ["dates-additive-gru"])
        self.assertEqual(self.complete("headlight", "render", "headl"), ["headlight"])  # a file of this folder
        self.assertEqual(self.complete("headlight", "run", "--text", "a"), [])
        self.assertEqual(set(self.complete("headlight", "")) - {"headlight"},
                         set(self.options) | {"help", "--help", "-h", "--version", "-V"})
        self.assertEqual(set(self.complete("headlight", "help", "")), set(self.options))
        for command, options in self.options.items():
            self.assertEqual(set(self.complete("headlight", command, "-")), options, command)

    def test_zsh_has_every_option_and_no_other(self):
        path = self.usr / "share/zsh/vendor-completions/_headlight"
        sections = re.split(r"^        ([a-z]+)\)$", path.read_text(encoding="utf-8"), flags=re.M)
        found = {command: set(re.findall(r"^            '(?:\([^)]*\)|\*)(-[a-zA-Z-]+)=?\[", text, re.M))
                 for command, text in zip(sections[1::2], sections[2::2])}
        self.assertEqual(found, self.options)
        self.need("zsh")
        output("zsh", "-n", path)
        for typed, completed in {"headlight ren": "headlight render ",
                                 "headlight render --view=gr": "headlight render --view=grid ",
                                 "headlight help ren": "headlight help render ",
                                 "headlight run --split ch": "headlight run --split characters ",
                                 "headlight attend dates-add": "headlight attend dates-additive-gru "}.items():
            self.assertEqual(self.typed_into_zsh(typed + "\t", completed), completed)

    def test_fish_has_every_option_and_no_other(self):
        path = self.usr / "share/fish/vendor_completions.d/headlight.fish"
        found = {command: set() for command in self.options}
        for command, rest in re.findall(r"subcommand_from ([a-z]+)' (-l .*?) -d ", path.read_text(encoding="utf-8")):
            found[command] |= {"--" + name for name in re.findall(r"-l ([a-z-]+)", rest)}
            found[command] |= {"-" + name for name in re.findall(r"-s (\w)\b", rest)}
        self.assertEqual(found, self.options)
        self.need("fish")
        output("fish", "--no-execute", path)
        said = output("fish", "-c", 'source $argv[1]; complete -C "headlight run sca"', path)
        self.assertIn("scaled_dot_product", said.split())


if __name__ == "__main__":
    unittest.main()
