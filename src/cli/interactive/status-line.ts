import { runStatusLine } from '../../api/settings/status-line.js';
import type { Environment, OrchestratorOptions, SessionHandle } from '../../api/types.js';
import { readOwnPackage } from '../../api/files/own-package.js';

/** The line that a command of the user prints about the session. */
export interface StatusLine {
  /** Print the line after a change of the session, if it is another one. At most one command runs at a time. */
  update(session: DescribedFacts): void;
  /** Run the command no more by a timer. */
  stop(): void;
}

type DescribedFacts = Pick<
  SessionHandle,
  'contextUsage' | 'directory' | 'permissions' | 'sessionId' | 'usage'
>;

export function createStatusLine(
  {
    command,
    padding,
    refreshInterval,
  }: {
    readonly command: string;
    readonly padding: number;
    /** Seconds after which the command runs again, also if the session does nothing. */
    readonly refreshInterval?: number | undefined;
  },
  {
    cwd,
    env,
    style = 'default',
    print,
    run = runStatusLine,
  }: {
    readonly cwd: string;
    readonly env: Environment;
    /** Name of the output style. */
    readonly style:
      NonNullable<NonNullable<OrchestratorOptions['context']>['outputStyle']>['name'] | undefined;
    readonly print: (text: string) => void;
    readonly run?: typeof runStatusLine;
  },
): StatusLine {
  let shown = '';
  let running = false;
  let next: DescribedFacts | undefined;
  const show = async (session: DescribedFacts): Promise<void> => {
    const text = await run({ command, cwd, env, facts: factsOf(session, cwd, style) });
    if (text === '' || text === shown) return;
    shown = text;
    const margin = ' '.repeat(padding);
    print(
      text
        .split('\n')
        .map((line) => margin + line)
        .join('\n'),
    );
  };
  const drain = async (): Promise<void> => {
    running = true;
    while (next !== undefined) {
      const session = next;
      next = undefined;
      await show(session).catch(() => {}); // a failure has no line
    }
    running = false;
  };
  let timer: NodeJS.Timeout | undefined;
  const update = (session: DescribedFacts): void => {
    next = session;
    if (!running) void drain();
    if (refreshInterval === undefined) return;
    clearInterval(timer);
    timer = setInterval(() => update(session), refreshInterval * 1_000).unref();
  };
  return { update, stop: () => clearInterval(timer) };
}

/** The JSON for the command, with the published names. */
function factsOf(session: DescribedFacts, cwd: string, style: string): Record<string, unknown> {
  const { model, tokens, contextWindow } = session.contextUsage();
  const used = Math.round((tokens / contextWindow) * 100);
  return {
    hook_event_name: 'Status',
    session_id: session.sessionId,
    transcript_path: `${session.directory}.jsonl`,
    cwd,
    permission_mode: session.permissions().mode,
    model: { id: model, display_name: model },
    workspace: {
      current_dir: cwd,
      project_dir: cwd,
      added_dirs: Object.keys(session.permissions().additionalWorkingDirectories),
    },
    version: readOwnPackage().version,
    output_style: { name: style },
    cost: { total_cost_usd: session.usage().total.costUsd ?? null },
    context_window: {
      context_window_size: contextWindow,
      total_input_tokens: tokens,
      used_percentage: used,
      remaining_percentage: 100 - used,
    },
    exceeds_200k_tokens: tokens > 200_000,
  };
}
