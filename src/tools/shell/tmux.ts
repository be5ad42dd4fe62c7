import { z } from 'zod';
import { suggestCommand } from '../../permissions/judges/suggestions.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { ToolInputError } from '../tool-input-error.js';
import { seemsDestructive } from './destroys.js';
import { hasProgram } from './has-program.js';
import { shortened } from './run-shell.js';
import { TmuxInput } from './tmux-input.js';
import { reachTmux, type TmuxServer, type TmuxWords } from './tmux-server.js';

export const TmuxOutput = z.lazy(() =>
  z.object({
    operation: z.enum(['create', 'send', 'capture', 'kill', 'list']),
    /** Session, window and pane that were used. */
    target: z.string().optional(),
    /** capture: the lines of the visible pane, without blank lines at the end. */
    screen: z.string().optional(),
    /** list: one line for each pane. */
    panes: z.array(z.string()).optional(),
  }),
);
export type TmuxOutput = Readonly<z.infer<typeof TmuxOutput>>;

/** Drives programs that need a terminal, in a tmux server of the agent that ends with it. */
export const TmuxTool = completeTool<typeof TmuxInput, TmuxOutput>({
  name: 'Tmux',
  shouldDefer: true,
  searchHint: 'terminal for interactive programs, REPL, debugger, TUI',
  inputSchema: TmuxInput,
  outputSchema: TmuxOutput,
  maxResultSizeChars: 30_000,
  isEnabled: ({ env }) => hasProgram('tmux', env),
  isReadOnly: isLook,
  isConcurrencySafe: isLook,
  isDestructive: ({ command }) => command !== undefined && seemsDestructive(command),
  permissionTarget: (input) => {
    const command = typedBy(input);
    if (command === undefined) return { kind: 'name', name: input.operation };
    const isPartial = input.key !== undefined || input.enter === false;
    return { kind: 'shell', command, ...(isPartial && { isPartial }) };
  },
  checkPermissions: (input) =>
    isLook(input)
      ? allowCoordination('shows terminals of this agent')
      : Promise.resolve(ask(input)),
  toAutoClassifierInput: describe,
  description: describe,
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: tell(output),
  }),

  async call(input, context) {
    const tmux = reachTmux(context);
    return { data: await run(input, tmux, context.files.cwd) };
  },
});

const SIZE = ['-x', '120', '-y', '40'];
/** Without start-up files, history file and history expansion, so that a text means what a rule sees. */
const SHELL = 'exec env HISTFILE= bash --noprofile --norc +H';
const PANE = '#{session_name}:#{window_index}.#{pane_index}';

function isLook({ operation }: TmuxInput): boolean {
  return operation === 'capture' || operation === 'list';
}

/** The command line that rules decide on. A key is no command line. */
function typedBy({ operation, command }: TmuxInput): string | undefined {
  if (operation === 'create') return command ?? 'bash';
  return operation === 'send' ? (command ?? '') : undefined;
}

function ask(input: TmuxInput) {
  const typed = typedBy(input);
  const rule = typed ?? input.operation;
  const isWhole = input.key === undefined && input.enter !== false;
  return {
    behavior: 'ask' as const,
    message: `Tmux: ${describe(input)}`,
    suggestions: isWhole ? suggestCommand('Tmux', [rule], true) : [],
  };
}

function describe(input: TmuxInput): string {
  const { operation, command, key, enter } = input;
  const place = [input.session, input.window, input.pane].filter((part) => part !== undefined);
  const text =
    command === undefined ? key : `${shortened(command)}${enter === false ? ' (no Enter)' : ''}`;
  return [operation, ...place, ...(text === undefined ? [] : ['←', text])].join(' ');
}

async function run(input: TmuxInput, tmux: TmuxServer, cwd: string): Promise<TmuxOutput> {
  const { operation } = input;
  switch (operation) {
    case 'create':
      return { operation, target: await create(input, tmux, cwd) };
    case 'send':
      await tmux.run(...typing(input, targetOf(input)));
      return { operation, target: targetOf(input) };
    case 'capture': {
      const screen = await tmux.run(['capture-pane', '-p', '-t', targetOf(input)]);
      return { operation, target: targetOf(input), screen: screen.trimEnd() };
    }
    case 'kill':
      await tmux.run([killOf(input), '-t', targetOf(input)]);
      return { operation, target: targetOf(input) };
    case 'list':
      return { operation, panes: [...(await list(tmux))] };
    default:
      return operation satisfies never;
  }
}

async function create(
  { session = '', window, command }: TmuxInput,
  tmux: TmuxServer,
  cwd: string,
): Promise<string> {
  const sessions = await tmux.sessions();
  const name = window === undefined ? [] : ['-n', window];
  const opening = ['-P', '-F', PANE, '-c', cwd, ...name];
  const typed = command === undefined ? [] : typing({ command }, `=${session}:`);
  if (sessions?.includes(session) !== true) {
    const made: TmuxWords = ['new-session', '-d', '-s', session, ...SIZE, ...opening, SHELL];
    const begin = sessions === undefined ? tmux.start : tmux.run;
    return (await begin(made, ...typed)).trim();
  }
  if (window === undefined)
    throw new ToolInputError(
      'Tmux',
      `There is a tmux session "${session}" already. Give another name, or the name of a new window in it.`,
    );
  return (await tmux.run(['new-window', '-t', `=${session}:`, ...opening, SHELL], ...typed)).trim();
}

function typing(
  { command, key, enter }: Pick<TmuxInput, 'command' | 'key' | 'enter'>,
  target: string,
): readonly TmuxWords[] {
  const press = (name: string): TmuxWords => ['send-keys', '-t', target, name];
  if (command === undefined) return [press(key ?? 'Enter')];
  const text: TmuxWords = ['send-keys', '-t', target, '-l', '--', command];
  return enter === false ? [text] : [text, press('Enter')];
}

async function list(tmux: TmuxServer): Promise<readonly string[]> {
  if ((await tmux.sessions()) === undefined) return [];
  const format = `${PANE} (window #{window_name}) runs #{pane_current_command}`;
  return (await tmux.run(['list-panes', '-a', '-F', format])).trim().split('\n');
}

/** `=` keeps tmux from taking a name for the beginning of another one. */
function targetOf({ session = '', window, pane }: TmuxInput): string {
  const isIndex = /^\d+$/.test(window ?? '');
  const inSession = window === undefined ? '' : `${isIndex ? '' : '='}${window}`;
  return `=${session}:${inSession}${pane === undefined ? '' : `.${pane}`}`;
}

function killOf({ window, pane }: TmuxInput): string {
  if (pane !== undefined) return 'kill-pane';
  return window === undefined ? 'kill-session' : 'kill-window';
}

function tell({ operation, target = '', screen, panes = [] }: TmuxOutput): string {
  const place = target.replaceAll('=', '');
  switch (operation) {
    case 'create':
      return `Created ${place}. Its shell is bash.`;
    case 'send':
      return `Sent to ${place}. Use capture to see what happens.`;
    case 'capture':
      return screen === '' ? '(the pane is blank)' : (screen ?? '');
    case 'kill':
      return `Ended ${place}.`;
    case 'list':
      return panes.length === 0 ? 'There are no tmux sessions.' : panes.join('\n');
    default:
      return operation satisfies never;
  }
}

const PROMPT = `Drives programs that need a terminal, in tmux: REPLs, debuggers, installers, editors.

- create opens a session with a new bash, or, with window, a new window in a session that exists; command is typed into it.
- send types command and presses Enter; with enter: false without Enter. Or it presses one key, such as "C-c", "Up" or "Escape".
- capture shows the visible screen of a pane (120 columns, 40 lines). A program needs time to answer: capture again if its output is not there yet.
- kill ends a session, window or pane with what runs in it; list shows all panes.
- The tmux server is yours alone, and all of it ends with you. For commands without a terminal use Bash.`;
