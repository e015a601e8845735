"""What can go wrong: input that makes no sense, and steps that cannot be taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brio._native import StepReport


class InputError(ValueError):
    """Bad input. Nothing has been changed when it is raised.

    Attributes:
        key: what is wrong, as ``body[0].material.poisson``.
        value: as it was given.
        bound: what it must be.
        remedy: what to do about it; may be empty.
        file: where it stands; empty where there is none.
        line: in that file, counted from 1; 0 where it is not known.
    """

    key: str = ""
    value: str = ""
    bound: str = ""
    remedy: str = ""
    file: str = ""
    line: int = 0

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self.args, self.__dict__


class StepFailed(RuntimeError):
    """A step could not be taken; the simulation is where it was before the call.

    Attributes:
        report: of the call.
    """

    report: StepReport

    def __init__(self, report: StepReport) -> None:
        super().__init__(report.message)
        self.report = report

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.report,)
