import type { SessionContext } from './context-keys.js';
import { renderMemory } from './memory/render-memory.js';

/** What an agent that was given no prompt of its own is told. */
const MAIN_PROMPT = `You are Troupe, an agent that works on software in the user's own folder with real tools.
Look before you change anything: read the files that matter, and run what there is to run. Make the smallest change that does the job, then check it by running it.
Use the tools for what they are made for: Read, Grep and Glob to look, Edit and Write to change files, Bash to run things. Ask for several at once where they do not depend on each other.
Large or separate pieces of work can be given to other agents with the Agent tool.
Say what you did plainly and briefly. Where something failed or was not allowed, say so.`;

/**
 * The system prompt of one agent, static part first. It is rendered once and stays the same for the agent's life: only
 * so can requests share a cached prefix.
 */
export function renderSystemPrompt({
  prompt,
  appended,
  cwd,
  worktree,
  platform,
  date,
  context = {},
}: {
  /** The agent's own; the session's default where absent. */
  readonly prompt: string | undefined;
  /** Stands right after it. */
  readonly appended?: string | undefined;
  readonly cwd: string;
  /** The branch of the git worktree that `cwd` is in, where one was made for the agent. */
  readonly worktree?: string | undefined;
  readonly platform: string;
  /** ISO day. */
  readonly date: string;
  /** Absent for an agent that needs neither instructions nor the state of the repository. */
  readonly context?: SessionContext | undefined;
}): readonly string[] {
  const { memory = [], gitStatus } = context;
  const instructions = renderMemory(memory);
  const branch = worktree === undefined ? '' : `\n${describeWorktree(worktree)}`;
  const place = `Working directory: ${cwd}${branch}\nPlatform: ${platform}\nDate: ${date}`;
  const own = prompt === undefined || prompt === '' ? MAIN_PROMPT : prompt;
  return [
    appended === undefined ? own : `${own}\n\n${appended}`,
    ...(instructions === '' ? [] : [instructions]),
    gitStatus === undefined ? place : `${place}\n\n${gitStatus}`,
  ];
}

function describeWorktree(branch: string): string {
  return `It is in a git worktree of your own, on the branch ${branch}: change files here only. What was not committed elsewhere is not in it. What you leave changed or committed is kept for whoever asked you.`;
}

/** Built-in agents that do whatever they are told to, in the project's way. */
const AT_LARGE: readonly string[] = ['general-purpose', 'worker'];

/**
 * Whether an agent is told the session's context: the session's own agent is, whatever plays it, and so are those at
 * large below it. Others have their own prompt and what their task tells them.
 */
export function takesContext(agentType: string, isOwn: boolean): boolean {
  return isOwn || AT_LARGE.includes(agentType);
}
