import { UsageError } from '../../core/errors.js';
import { once } from '../../core/lazily.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { AgentTool } from '../agents/agent.js';
import { AskUserQuestionTool } from '../dialogue/ask-user-question.js';
import { BashOutputTool } from '../shell/bash-output.js';
import { BashTool, bashWithin, type BashLimits } from '../shell/bash.js';
import { CronCreateTool } from '../schedule/cron-create.js';
import { CronDeleteTool } from '../schedule/cron-delete.js';
import { CronListTool } from '../schedule/cron-list.js';
import { EditTool } from '../files/edit.js';
import { MultiEditTool } from '../files/multi-edit.js';
import { NotebookEditTool } from '../files/notebook-edit.js';
import { EnterPlanModeTool } from '../dialogue/enter-plan-mode.js';
import { EnterWorktreeTool } from '../worktrees/enter-worktree.js';
import { ExitWorktreeTool } from '../worktrees/exit-worktree.js';
import { ExitPlanModeTool } from '../dialogue/exit-plan-mode.js';
import { GlobTool } from '../files/glob.js';
import { GrepTool } from '../files/grep.js';
import { KillShellTool } from '../shell/kill-shell.js';
import { ListMcpResourcesTool } from '../mcp/list-mcp-resources.js';
import { LspTool } from '../lsp/lsp.js';
import { MonitorMcpTool } from '../mcp/monitor-mcp.js';
import { ReadMcpResourceTool } from '../mcp/read-mcp-resource.js';
import { MonitorTool } from '../shell/monitor.js';
import { ReadTool } from '../files/read.js';
import { RemoteTriggerTool } from '../schedule/remote-trigger.js';
import { PowerShellTool } from '../shell/powershell.js';
import { SandboxTool } from '../shell/sandbox.js';
import { SendMessageTool } from '../agents/send-message.js';
import { SkillTool } from '../skills/skill.js';
import { SleepTool } from '../schedule/sleep.js';
import { TaskCreateTool } from '../teams/task-create.js';
import { TaskGetTool } from '../teams/task-get.js';
import { TaskListTool } from '../teams/task-list.js';
import { TaskOutputTool } from '../tasks/task-output.js';
import { TaskStopTool } from '../tasks/task-stop.js';
import { TaskUpdateTool } from '../teams/task-update.js';
import { TeamCreateTool } from '../teams/team-create.js';
import { TeamDeleteTool } from '../teams/team-delete.js';
import type { Tool } from '../tool.js';
import { learnSchemas } from './input-schema.js';
import { MADE_SCHEMAS } from './made-schemas.js';
import { ToolSearchTool } from './tool-search.js';
import { TmuxTool } from '../shell/tmux.js';
import { TodoWriteTool } from '../tasks/todo-write.js';
import { WebFetchTool } from '../web/web-fetch.js';
import { WebSearchTool } from '../web/web-search.js';
import { WorkflowTool } from '../workflow/workflow.js';
import { WriteTool } from '../files/write.js';

/**
 * The one list of built-in tools. The pool decides which of them an agent has, and in which order.
 *
 * @param limits of Bash; the default ones if absent
 */
export function getAllBaseTools(limits?: BashLimits): readonly Tool[] {
  learnMade();
  return listTools(limits);
}

const learnMade = once(() => learnSchemas(listTools(), MADE_SCHEMAS));

function listTools(limits?: BashLimits): readonly Tool[] {
  return [
    ReadTool,
    WriteTool,
    EditTool,
    MultiEditTool,
    NotebookEditTool,
    GlobTool,
    GrepTool,
    LspTool,
    ListMcpResourcesTool,
    ReadMcpResourceTool,
    MonitorMcpTool,
    limits === undefined ? BashTool : bashWithin(limits),
    BashOutputTool,
    KillShellTool,
    MonitorTool,
    WebFetchTool,
    WebSearchTool,
    PowerShellTool,
    SandboxTool,
    TmuxTool,
    AgentTool,
    SkillTool,
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
    EnterWorktreeTool,
    ExitWorktreeTool,
    ToolSearchTool,
  ];
}

/** Resolve names of built-in tools. @throws UsageError for an unknown name */
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
