import { UsageError } from '../core/errors.js';
import { nearestName } from '../core/nearest-name.js';
import { AgentTool } from './agent.js';
import { AskUserQuestionTool } from './ask-user-question.js';
import { BashOutputTool } from './bash-output.js';
import { BashTool, bashWithin, type BashLimits } from './bash.js';
import { CronCreateTool } from './cron-create.js';
import { CronDeleteTool } from './cron-delete.js';
import { CronListTool } from './cron-list.js';
import { EditTool } from './edit.js';
import { EnterPlanModeTool } from './enter-plan-mode.js';
import { ExitPlanModeTool } from './exit-plan-mode.js';
import { GlobTool } from './glob.js';
import { GrepTool } from './grep.js';
import { KillShellTool } from './kill-shell.js';
import { ReadTool } from './read.js';
import { RemoteTriggerTool } from './remote-trigger.js';
import { SendMessageTool } from './send-message.js';
import { SleepTool } from './sleep.js';
import { TaskCreateTool } from './task-create.js';
import { TaskGetTool } from './task-get.js';
import { TaskListTool } from './task-list.js';
import { TaskOutputTool } from './task-output.js';
import { TaskStopTool } from './task-stop.js';
import { TaskUpdateTool } from './task-update.js';
import { TeamCreateTool } from './team-create.js';
import { TeamDeleteTool } from './team-delete.js';
import type { Tool } from './tool.js';
import { TodoWriteTool } from './todo-write.js';
import { WorkflowTool } from './workflow.js';
import { WriteTool } from './write.js';

/**
 * The one list of built-in tools. Which of them an agent has, and in which order, the pool decides.
 *
 * @param limits of Bash; the usual ones if absent
 */
export function getAllBaseTools(limits?: BashLimits): readonly Tool[] {
  return [
    ReadTool,
    WriteTool,
    EditTool,
    GlobTool,
    GrepTool,
    limits === undefined ? BashTool : bashWithin(limits),
    BashOutputTool,
    KillShellTool,
    AgentTool,
    TaskOutputTool,
    TaskStopTool,
    SendMessageTool,
    TeamCreateTool,
    TeamDeleteTool,
    TaskCreateTool,
    TaskGetTool,
    TaskListTool,
    TaskUpdateTool,
    CronCreateTool,
    CronListTool,
    CronDeleteTool,
    RemoteTriggerTool,
    SleepTool,
    WorkflowTool,
    TodoWriteTool,
    AskUserQuestionTool,
    EnterPlanModeTool,
    ExitPlanModeTool,
  ];
}

/** The built-in tools that are meant. @throws UsageError for a name that none has */
export function baseToolNames(names: readonly string[]): readonly string[] {
  const known = getAllBaseTools().map(({ name, aliases = [] }) => ({
    name,
    all: [name, ...aliases],
  }));
  return names.map((name) => {
    const found = known.find(({ all }) => all.includes(name));
    if (found !== undefined) return found.name;
    const nearest = nearestName(
      name,
      known.map((one) => one.name),
    );
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    const list = known.map((one) => one.name).toSorted();
    throw new UsageError(
      `There is no built-in tool "${name}".${hint} There are: ${list.join(', ')}.`,
    );
  });
}
