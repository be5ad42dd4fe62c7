import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expectedEffects, isMatched } from './expected-effects.mjs';
import { WITHOUT_NETWORK } from './hook-session.mjs';
import { hasWords, isObserved } from './observed-effects.mjs';

const MOST_MS = 20_000;
const LEFT_MS = 1_000;

/**
 * Run a command hook by itself on each input that its event had in the session, read its output by the published rules,
 * and compare: has the session these effects?
 *
 * @param runs messages `hook_response` of the hook
 * @returns the kinds of effects, and the runs whose effect the session lacks; `varies` if the program says another thing
 *   by itself, such as a time
 */
export async function compareEffects({ event, matcher, hook }, { cwd, home, inputs, runs }, facts) {
  const isOwn = ({ event: of, input }) => of === event && isMatched(matcher, input);
  const own = hook.if === undefined ? inputs.filter(isOwn) : [];
  const kinds = new Set();
  const missing = [];
  let varies = false;
  for (const { input } of own) {
    const said = await runAlone(hook, input, { cwd, home });
    if (said === undefined) return { kinds, missing, varies, isSlow: true };
    const at = { event, id: input.tool_use_id };
    const effects = inTime(hook, expectedEffects(event, said));
    const lacking = effects.filter((effect) => !isObserved(effect, at, facts));
    if (lacking.length > 0 && !runs.some((run) => isSame(run, said))) varies = true;
    else missing.push(...lacking.map(({ kind, text }) => ({ kind, text, input })));
    for (const { kind } of effects) kinds.add(kind);
  }
  for (const { exit_code: code, stdout, stderr } of varies || own.length === 0 ? runs : []) {
    const effects = inTime(hook, expectedEffects(event, { code, stdout, stderr }));
    const lacking = effects.filter((effect) => !isObserved(effect, { event }, facts));
    missing.push(...lacking.filter(({ kind }) => kind !== 'allows'));
    for (const { kind } of effects) kinds.add(kind);
  }
  const [{ hook_name: name }] = runs;
  if (kinds.size === 0 && hasWords(name, facts)) missing.push({ kind: 'nothing', text: name });
  return { kinds, missing, varies, isSlow: false };
}

/** A hook that nothing waits for can only add a text. */
function inTime({ async: isAsync = false, asyncRewake = false }, effects) {
  return isAsync || asyncRewake ? effects.filter(({ kind }) => kind === 'adds') : effects;
}

function isSame({ exit_code: code, stdout, stderr }, said) {
  return (
    code === said.code &&
    stdout.trim() === said.stdout.trim() &&
    stderr.trim() === said.stderr.trim()
  );
}

/** @returns the output of the program; undefined if it is late */
async function runAlone({ command, args }, input, { cwd, home }) {
  const plugin = join(cwd, 'plugin');
  const env = {
    HOME: home,
    PATH: process.env.PATH,
    ...WITHOUT_NETWORK,
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: cwd,
    CLAUDE_PLUGIN_ROOT: plugin,
    CLAUDE_ENV_FILE: join(home, 'variables'),
  };
  const filled = (text) =>
    text.replaceAll('${CLAUDE_PLUGIN_ROOT}', plugin).replaceAll('${CLAUDE_PROJECT_DIR}', cwd);
  const [file, ...words] =
    args === undefined ? ['bash', '-c', filled(command)] : [command, ...args].map(filled);
  const child = spawn(file, words, {
    cwd: existsSync(input.cwd) ? input.cwd : cwd,
    env,
    detached: true,
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (data) => (said[name] += data));
  child.stdin.on('error', () => {}); // the program does not read
  child.stdin.end(JSON.stringify(input));
  const closed = once(child, 'close');
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), MOST_MS);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(timer);
  await Promise.race([closed, delay(LEFT_MS)]); // a process that it left may hold its output
  return signal === 'SIGKILL' ? undefined : { code, ...said };
}
