"""What has an effect waits for a person: the call is generated, shown, and not made.

The gate stands behind the schema, so that a person only ever sees calls that
could be made as they stand, and before everything that touches the source.
"""

from __future__ import annotations

import copy

from kaoju.model.tool import NeedsApproval, ToolOutcome
from kaoju.tools.base import say, text_of
from kaoju.tools.dispatch.step import Next, Step


async def approval(step: Step, go_on: Next) -> ToolOutcome:
    """Let reads pass, and calls that were approved; park the rest with their arguments."""
    if step.spec.risk == "read":
        return await go_on(step)
    if step.journey.approved is not None and step.journey.approved(step.call) is True:
        return await go_on(step)
    name = step.spec.name
    about = text_of(step.call.arguments)
    lasting = step.spec.risk == "irreversible"
    reason = say(
        about,
        zh=f"工具 {name} 会{'产生不可撤销的影响' if lasting else '修改数据'}，需人工批准后执行",
        en=f"{name} {'cannot be undone' if lasting else 'changes something'}; a person has to approve the call",
    )
    return NeedsApproval(
        reason=reason,
        tool=name,
        details={
            "arguments": copy.deepcopy(dict(step.call.arguments)),
            "risk": step.spec.risk,
            "key": step.call.key,
        },
    )
