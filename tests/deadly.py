"""An executor that plays in this process, and says of some blocks that its worker has died."""

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ohpshaw_sim.tournament.chunk import Task
from ohpshaw_sim.tournament.losses import Loss, lost


class Deadly(ThreadPoolExecutor):
    """Plays here, but for some blocks, at which its worker dies, so it says."""

    def __init__(self, blocks: set[int], agent: str | None = None, deaths: int = 99) -> None:
        super().__init__(1)
        self.blocks, self.agent, self.deaths = blocks, agent, deaths
        self.played: list[Task] = []

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        task = args[0]
        if not isinstance(task, Task):
            return super().submit(function, *args, **kwargs)
        self.played.append(task)
        at = sorted(self.blocks & set(range(task.first, task.end)))
        if not at or not self.deaths:
            return super().submit(function, *args, **kwargs)
        self.deaths -= 1
        future: Future[Any] = Future()
        future.set_exception(lost(Loss(self.agent, "crash", "crashed its worker process", at[0], 0, None)))
        return future
