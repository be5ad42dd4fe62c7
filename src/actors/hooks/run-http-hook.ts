import { messageOf } from '../../core/errors.js';
import { readBody } from '../../core/text/read-body.js';
import { readText } from '../../extensions/hooks/hook-output.js';
import type { HookInput } from '../../extensions/hooks/hook-inputs.js';
import type { HttpHook } from '../../settings/schema/hooks-settings.js';
import type { HookRun } from './hook-end.js';
import type { Environment } from '../../files/folders.js';

/** Longest answer of a server, bytes. */
const LONGEST_ANSWER = 1_000_000;

/** Send the event to the hook's server. A redirect is not followed: it could lead to an address that is not allowed. */
export async function runHttpHook(
  { url, headers = {}, allowedEnvVars = [] }: HttpHook,
  input: HookInput,
  env: Environment,
  signal: AbortSignal,
): Promise<HookRun> {
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    withVariables(value, (key) => (allowedEnvVars.includes(key) ? env[key] : undefined)),
  ]);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(filled) },
    body: JSON.stringify(input),
    redirect: 'manual',
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    const { cause = error } = error as Error; // `fetch` rejects with an Error
    throw new Error(`${url} cannot be reached: ${(cause as Error).message}`, { cause: error });
  });
  const text = await readBody(response, LONGEST_ANSWER).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new Error(`${url}: ${messageOf(error)}`, { cause: error });
  });
  const said = response.ok
    ? readText(text, input.hook_event_name)
    : { problem: `${url} answered with status ${response.status}` };
  return { said, stdout: text, stderr: '' };
}

/** `$NAME` and `${NAME}` are variables; a variable without a value is empty. A header has no line ends. */
function withVariables(text: string, valueOf: (name: string) => string | undefined): string {
  return text
    .replace(
      /\$(?:\{(\w+)\}|(\w+))/g,
      (_, braced: string | undefined, bare: string | undefined) =>
        valueOf(braced ?? bare ?? '') ?? '',
    )
    .replace(/[\0\r\n]/g, '');
}
