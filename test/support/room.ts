import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openControlSocket } from '../../src/api/control/control-socket.js';
import type { Orchestrator } from '../../src/actors/contract/orchestrator.js';
import { openRoom } from '../../src/cli/web/open-room.js';
import type { ScriptFunction } from '../../src/model/scripted/scripted-model.js';
import { ASK_FIRST, createTroupe, waitForAnother, type TroupeOptions } from './troupe.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
if (CHROMIUM === undefined)
  process.stderr.write('no Chromium: the tests of the control room in a browser are skipped\n');
export const HAS_BROWSER = CHROMIUM !== undefined;

/** Names that end in `.example` lead to this machine, as those of a hostile name server may. */
const BROWSER_FLAGS = ['--no-sandbox', '--host-resolver-rules=MAP *.example 127.0.0.1'];

let started: Promise<Browser> | undefined;

/** One browser for all tests of a file, which closes it. */
export function openBrowser(): Promise<Browser> {
  return (started ??= chromium.launch({ executablePath: CHROMIUM ?? '', args: BROWSER_FLAGS }));
}

export async function closeBrowser(): Promise<void> {
  const open = started;
  started = undefined;
  await (await open)?.close();
}

/** A page in its own window, as in another browser. `problems` has its errors. */
export async function openPage(
  address: string,
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
  const context = await (await openBrowser()).newContext();
  atEnd(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
  await page.goto(address);
  return { page, problems };
}

/** A troupe of this process, and a control room that shows it. Requests wait for a decision. */
export async function openLiveRoom(script: ScriptFunction, options: TroupeOptions = {}) {
  const world = await createTroupe(script, { permissions: ASK_FIRST, ...options });
  return { ...world, ...(await openRoomOn(world)) };
}

/** A control room that shows a troupe of this process. */
export async function openRoomOn({
  troupe,
  home,
  cwd,
}: {
  readonly troupe: Orchestrator;
  readonly home: string;
  readonly cwd: string;
}) {
  troupe.approvals.onRequest(waitForAnother, { by: 'another terminal' });
  const control = await openControlSocket(troupe, { home, cwd });
  onTestFinished(() => control.close());
  const env = { TROUPE_HOME: home };
  const room = await openRoom({ env }, 0);
  onTestFinished(() => room.close());
  return { room, env };
}
