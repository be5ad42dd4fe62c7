import type { TestContext } from 'vitest';
import type { FakeMessagesApiOptions } from '../../../src/testing/fake-messages-api.js';
import { createPlace } from '../../e2e/support/place.js';
import { COMMAND } from '../../e2e/support/troupe-process.js';
import { openScreen, type Screen } from '../../support/screen.js';

/** The working folder on the screen. The real one, below `/tmp`, is as long, so that lines break at the same places. */
export const FOLDER = '/home/ada/my-project';

/** On a machine at work a screen may take long: less than the time of a test, so that the failure shows the screen. */
const PATIENCE_MS = 50_000;

type Size = { readonly columns?: number; readonly rows?: number };

export type Sitting = {
  readonly screen: Screen;
  readonly shows: Screen['shows'];
  /** The screen now. */
  readonly text: () => string;
  readonly has: (name: string) => boolean;
  /** The text of a file of the working folder. */
  readonly read: (name: string) => Promise<string>;
  /** Another start in the same folder. */
  readonly again: (...args: readonly string[]) => Screen;
  /** The same for another screen. */
  readonly of: (screen: Screen) => Sitting;
};

export type SitOptions = Size & {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** A program, with arguments, that starts the command behind them. */
  readonly through?: readonly string[];
  /** Files of the working folder. */
  readonly files?: Readonly<Record<string, string>>;
};

function started([program = '', ...args]: readonly string[]): readonly [string, ...string[]] {
  return [program, ...args];
}

/** The command on its own screen. {@link FOLDER} stands for its folder, which differs in each run. */
export async function sit(
  replies: FakeMessagesApiOptions,
  onTestFinished: TestContext['onTestFinished'],
  { env = {}, args = [], files = {}, through = [], ...size }: SitOptions = {},
): Promise<Sitting> {
  const place = await createPlace(onTestFinished, '/tmp');
  await place.write(files);
  const api = await place.api(replies);
  const again = (...own: readonly string[]): Screen =>
    openScreen(started([...through, process.execPath, COMMAND, ...own]), {
      cwd: place.cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: place.home,
        TROUPE_HOME: place.troupeHome,
        TMPDIR: place.temporary,
        TERM: 'xterm-256color',
        ANTHROPIC_BASE_URL: api.url,
        ANTHROPIC_API_KEY: 'test',
        CLAUDE_CODE_MCP_STARTUP_WAIT_MS: '60000', // a server may start slowly on a busy machine
        ...env,
      },
      ...size,
      onTestFinished,
      patienceMs: PATIENCE_MS,
    });
  const screen = again(...args);
  const withoutFolder = (text: string): string => text.replaceAll(place.cwd, FOLDER);
  const of = (shown: Screen): Sitting => ({
    screen: shown,
    shows: (rows, toText = (text) => text) =>
      shown.shows(rows, (text) => toText(withoutFolder(text))),
    text: () => withoutFolder(shown.text()),
    has: place.has,
    read: place.text,
    again,
    of,
  });
  return of(screen);
}
