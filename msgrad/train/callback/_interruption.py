"""``BackupAndRestore`` and ``OnRequestExit``: trainings that are ended from outside.

Both keep what the network, the optimizer and the loss scale have; that a training goes on where it
stopped, with its random numbers and callbacks, is ``ModelCheckpoint``'s.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

from msgrad._core.checks import of_type
from msgrad._core.distributed.world import world
from msgrad._core.errors import ArgumentValueError
from msgrad.train._checkpoint_arguments import check_instance
from msgrad.train.callback._callback import Callback, RunContext, a_bool, an_int
from msgrad.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

__all__ = ["BackupAndRestore", "OnRequestExit"]


class BackupAndRestore(Callback):
    """Save a training after its epochs, and begin one with what the last one has left.

    Args:
        backup_dir: The folder of the file ``backup.ckpt``; it is made.
        save_freq: ``'epoch'``, or after how many epochs to save.
        delete_checkpoint: Whether the file is removed when the training has come to its end.

    Raises:
        TypeError, ValueError: For arguments that are not accepted.
    """

    def __init__(
        self, backup_dir: str, save_freq: str | int = "epoch", delete_checkpoint: bool = True
    ) -> None:
        super().__init__()
        of_type("BackupAndRestore", "backup_dir", backup_dir, str)
        folder = Path(backup_dir).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        self.backup_file = str(folder / "backup.ckpt")
        self.save_freq = 1 if save_freq == "epoch" else an_int(save_freq, 1)
        self.delete_checkpoint = a_bool(delete_checkpoint)

    def on_train_begin(self, run_context: RunContext) -> None:
        """Load the file if there is one."""
        if Path(self.backup_file).exists():
            network = run_context.original_args().train_network
            load_param_into_net(network, load_checkpoint(self.backup_file))

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Save, if it is time."""
        params = run_context.original_args()
        if params.cur_epoch_num % self.save_freq == 0:
            save_checkpoint(params.train_network, self.backup_file)

    def on_train_end(self, run_context: RunContext) -> None:
        """Remove the file."""
        if self.delete_checkpoint:
            Path(self.backup_file).unlink(missing_ok=True)


class OnRequestExit(Callback):
    """Save a training and end it, when a signal comes or a file asks for it.

    The file is ``directory/rank_0/<file_name>_train.ckpt``; an evaluation ends without one.

    Args:
        save_ckpt: Whether to save.
        save_mindir: Accepted for compatibility: a network in training is not exported.
        file_name: How the file's name begins.
        directory: Where the folder of the rank is made.
        config_file: A JSON file; ``{"GracefulExit": 1}`` in it ends the run.
        sig: The signal that ends it.

    Raises:
        ValueError: For arguments that are not accepted.

    Differs from MindSpore: the run ends after the step in which it was asked to, as the
    documentation says; 2.10 saves, and goes on.
    """

    def __init__(
        self,
        save_ckpt: bool = True,
        save_mindir: bool = True,
        file_name: str = "Net",
        directory: str = "./",
        config_file: str | None = None,
        sig: int = signal.SIGTERM,
    ) -> None:
        super().__init__()
        check_instance("save_ckpt", save_ckpt, bool)
        check_instance("save_mindir", save_mindir, bool)
        check_instance("sig", sig, int)
        if sig == signal.SIGKILL:
            raise ArgumentValueError("Not support send exit request by signal SIGKILL.")
        of_type("OnRequestExit", "directory", directory, str)
        self.save_ckpt, self.config_file, self.sig = save_ckpt, config_file, sig
        self._file = Path(directory).absolute() / f"rank_{world.rank}" / f"{file_name}_train.ckpt"
        self._asked, self._before = False, None

    def _is_asked(self) -> bool:
        if self.config_file is not None and not self._asked:
            path = Path(self.config_file)
            self._asked = path.exists() and json.loads(path.read_text()).get("GracefulExit") == 1
        return self._asked

    def on_train_begin(self, run_context: RunContext) -> None:
        """Listen to the signal."""

        def ask(number: int, frame: Any) -> None:
            self._asked = True

        self._asked, self._before = False, signal.signal(self.sig, ask)

    on_eval_begin = on_train_begin

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Save and stop, if that was asked."""
        if not self._is_asked():
            return
        if self.save_ckpt:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            save_checkpoint(run_context.original_args().train_network, str(self._file))
        run_context.request_stop()

    def on_train_end(self, run_context: RunContext) -> None:
        """Leave the signal to whoever had it before."""
        signal.signal(self.sig, self._before or signal.SIG_DFL)

    on_eval_end = on_train_end

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Stop, if that was asked."""
        if self._is_asked():
            run_context.request_stop()
