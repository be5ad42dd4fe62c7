import type { SessionContext } from './context-keys.js';
import type { OutputStyle } from './output-style.js';
import { renderMemory } from './memory/render-memory.js';

/** The prompt of an agent without its own one. */
const MAIN_PROMPT = `You are Troupe, an agent that works on software in the user's own folder with real tools.
Look before you change anything: read the files that matter, and run what can be run. Make the smallest change that does the job, then check it by running it.
Use each tool for its purpose: Read, Grep and Glob to look, Edit and Write to change files, Bash to run commands. Call several at once if they do not depend on each other.
Give large or separate pieces of work to other agents with the Agent tool.
Say what you did plainly and briefly. If something failed or was not allowed, say so.`;

/** The prompt with an output style that replaces these instructions. */
const SHORT_PROMPT =
  "You are Troupe, an agent that works in the user's own folder with real tools.";

/**
 * Render the system prompt of one agent, static part first. It is rendered once and stays the same for the agent's
 * life, so that requests share a cached prefix.
 */
export function renderSystemPrompt({
  prompt,
  style,
  appended,
  notes,
  cwd,
  worktree,
  platform,
  date,
  context = {},
}: {
  /** The agent's own prompt; the session's default if absent. */
  readonly prompt: string | undefined;
  /** How the agent answers. */
  readonly style?: OutputStyle | undefined;
  /** A text right after the prompt. */
  readonly appended?: string | undefined;
  /** The agent's own notes. */
  readonly notes?: string | undefined;
  readonly cwd: string;
  /** The branch of the agent's git worktree, if `cwd` is in one. */
  readonly worktree?: string | undefined;
  readonly platform: string;
  /** ISO day. */
  readonly date: string;
  /** Absent for an agent that needs neither instructions nor the state of the repository. */
  readonly context?: SessionContext | undefined;
}): readonly string[] {
  const { memory = [], gitStatus, attribution } = context;
  const instructions = renderMemory(memory);
  const branch = worktree === undefined ? '' : `\n${describeWorktree(worktree)}`;
  const place = `Working directory: ${cwd}${branch}\nPlatform: ${platform}\nDate: ${date}`;
  const usual = style?.keepsInstructions === false ? SHORT_PROMPT : MAIN_PROMPT;
  const own = prompt === undefined || prompt === '' ? usual : prompt;
  return [
    [own, style?.prompt, appended].filter((part) => part !== undefined && part !== '').join('\n\n'),
    ...(notes === undefined ? [] : [notes]),
    ...(instructions === '' ? [] : [instructions]),
    [place, gitStatus, attribution].filter((part) => part !== undefined).join('\n\n'),
  ];
}

function describeWorktree(branch: string): string {
  return `This is your git worktree, on the branch ${branch}: change files only here. It lacks whatever was not committed elsewhere. The changes and commits that you leave are kept for the agent or person who asked you.`;
}

/** Built-in agents that only look around: they have their own prompt and their task. */
const WITHOUT_CONTEXT: readonly string[] = ['Explore', 'Plan'];

/** Whether an agent gets the session's context: all do, except Explore and Plan below the main agent. */
export function takesContext(agentType: string, isOwn: boolean): boolean {
  return isOwn || !WITHOUT_CONTEXT.includes(agentType);
}
