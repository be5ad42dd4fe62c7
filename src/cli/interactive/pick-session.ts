import type { Folder } from '../command.js';
import { UsageError } from '../../api/errors.js';
import { userFolders } from '../../api/files/folders.js';
import { listSessions } from '../../api/sessions/list-sessions.js';
import { oneLine } from '../../api/text.js';
import type { SessionSummary } from '../../api/types.js';
import { describeAge } from '../output/describe-time.js';
import type { OutputWriter } from '../output/output-writer.js';
import { readLastExchange } from '../terminal/views/last-exchange.js';
import { plainLine, type Line } from '../terminal/lines/line.js';
import { openTerminal } from '../terminal/open-terminal.js';
import { openPickList, type Choice } from '../terminal/views/pick-list.js';
import type { LiveScreen } from '../terminal/screen/terminal.js';
import type { KeyboardInput } from '../terminal/plain/line-editor.js';

const NO_SESSION = 'There is no other session of this folder.';
const WIDTH = 200;

/**
 * Let a person choose a session of the folder in a list.
 *
 * @param current ID of a session that is left out
 * @returns the ID; undefined if the person has left the list
 * @throws UsageError if there is no session
 */
export function pickSession(
  terminal: Pick<LiveScreen, 'show' | 'focus' | 'rows' | 'columns'>,
  { cwd, env }: Folder,
  current?: string,
): Promise<string | undefined> {
  const sessions = listSessions({ home: userFolders(env).troupe, cwd }).filter(
    ({ id, title, prompt }) => id !== current && (title !== undefined || prompt !== undefined),
  );
  if (sessions.length === 0) throw new UsageError(NO_SESSION);
  return new Promise((resolve) =>
    openPickList(terminal, {
      title: 'Resume a session',
      choices: sessions.map(toChoice),
      preview: ({ directory }) => previewLines(directory),
      onEnd: (session) => resolve(session?.id),
    }),
  );
}

/**
 * The same before a session is there, on a terminal that is opened for it.
 *
 * @throws UsageError if the terminal has no live part
 */
export async function pickFirst(
  world: Folder,
  { input, output }: { readonly input: KeyboardInput; readonly output: OutputWriter },
): Promise<string | undefined> {
  let leave = (): void => {};
  const left = new Promise<undefined>((resolve) => (leave = () => resolve(undefined)));
  const terminal = await openTerminal({
    input,
    output,
    cwd: world.cwd,
    env: world.env,
    commands: () => [],
    files: async () => [],
    onEscape() {},
    onMode() {},
    onTree() {},
    onPrompt() {},
    onInterrupt: () => leave(),
    onBackground() {},
    onEnd: () => leave(),
  });
  try {
    if (!terminal.isLive)
      throw new UsageError(
        'This terminal shows no list to choose from. Use --resume ID: troupe sessions lists them.',
      );
    const picked = pickSession(terminal, world);
    terminal.start();
    return await Promise.race([picked, left]);
  } finally {
    terminal.close();
  }
}

function toChoice(session: SessionSummary): Choice<SessionSummary> {
  const { id, title, prompt = '', turns = 0, writtenAt, status } = session;
  const age = writtenAt === undefined ? [] : [describeAge(Date.now() - writtenAt)];
  const state = status === 'live' || status === 'damaged' ? [status] : [];
  return {
    value: session,
    name: oneLine(title ?? prompt, WIDTH),
    facts: [...age, `${turns} ${turns === 1 ? 'turn' : 'turns'}`, ...state].join(' · '),
    text: `${title ?? ''} ${prompt} ${id}`,
  };
}

/** The last exchange of a session. */
async function previewLines(directory: string): Promise<readonly Line[]> {
  const last = await readLastExchange(directory).catch(() => undefined); // the resume says what is wrong
  if (last === undefined) return [];
  const answer = last.answer.split('\n').filter((line) => line.trim() !== '');
  return [
    [],
    plainLine(`  > ${oneLine(last.prompt, WIDTH)}`, 'strong'),
    ...answer.slice(0, 4).map((line) => plainLine(`  ${oneLine(line, WIDTH)}`, 'dim')),
  ];
}
