import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** How many living processes have this text in their command line. Those that have ended have none. */
export function countProcesses(text: string): number {
  return processesWith(text).length;
}

/** The living processes with this text in their command line, whose words end with NUL. */
export function processesWith(text: string): readonly number[] {
  return commandLines().flatMap(({ pid, line }) => (line.includes(text) ? [pid] : []));
}

/** How many living processes have each of these texts in their command line, in one look at all processes. */
export function countEach(texts: Readonly<Record<string, string>>): Record<string, number> {
  const lines = commandLines().map(({ line }) => line);
  const count = (text: string): number => lines.filter((line) => line.includes(text)).length;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, count(text)]));
}

function commandLines(): readonly { readonly pid: number; readonly line: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return { pid: Number(name), line: readFileSync(`/proc/${name}/cmdline`, 'utf8') };
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** Resolves when the condition holds; rejects with what it is about when it does not in time. */
export async function until(
  what: string,
  condition: () => boolean,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await setTimeout(10);
  }
}

/** The offset that {@link hidden} subtracts has to stay clear of every other number. */
const STEP = 10;

let lastMarker = Math.floor(Math.random() * 900_000) * 1_000;

/** Seconds to sleep: a number that no other process of the machine has in its command line. */
export function uniqueSeconds(): number {
  lastMarker += STEP;
  return 9_000_000_000 + lastMarker;
}

/** The number, computed in the shell, so that the text of the command does not have it. */
export function hidden(seconds: number): string {
  return `m=$((${seconds - 5} + 5))`;
}

/** Ways to outlive a shell. `$m` is how long to sleep. */
export const STUBBORN_KINDS = {
  'in the background': 'sleep $m &',
  nohup: 'nohup sleep $m >/dev/null 2>&1 &',
  setsid: 'setsid sleep $m &',
  'forks twice': '(setsid sh -c "sleep $m & exit" &)',
  'ignores SIGTERM': `sh -c 'trap "" TERM HUP INT; exec sleep '$m &`,
  'is stopped': 'sleep $m & sleep 0.2; kill -STOP $!',
  'clears its environment': 'setsid env -i sleep $m &',
  'closes its descriptors': '(exec 3>&- 250>&- >/dev/null 2>&1; exec setsid sleep $m) &',
  'all but the marks': `setsid setsid sh -c 'trap "" TERM HUP INT; exec sleep '$m >/dev/null 2>&1 &`,
} as const;

/** Held by a pid namespace alone. */
export const STUBBORN_IN_NAMESPACE = {
  'clears its environment and closes its descriptors':
    '(exec 3>&- 4>&- 250>&- >/dev/null 2>&1; exec setsid env -i sleep $m) &',
} as const;
