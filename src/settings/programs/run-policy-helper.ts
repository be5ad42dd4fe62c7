import { isAbsolute, normalize } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { printableLine } from '../../core/text/printable.js';
import { quoted } from '../../core/text/shell-word.js';
import type { Environment } from '../../files/folders.js';
import { createProcessSupervisor } from '../../processes/process-supervisor.js';
import { parseJsonAs } from '../files/parse-json.js';
import { Settings } from '../schema/settings-schema.js';
import { runProgram } from './run-program.js';

const TIMEOUT_MS = 10_000;
const MOST_STDERR_CHARS = 300;

/** The setting `policyHelper`. */
const PolicyHelper = z.strictObject({
  path: z.string(),
  timeoutMs: z.int().min(1_000).default(TIMEOUT_MS),
  refreshIntervalMs: z.union([z.literal(0), z.int().min(60_000)]).default(0),
});

/** The output of a helper. Another key is a mistake: settings at the top would restrict nothing. */
const Printed = z.strictObject({
  managedSettings: Settings.optional(),
  claudeMd: z.string().optional(),
  appendSystemPrompt: z.string().optional(),
});
export type Printed = z.infer<typeof Printed>;

type Place = { readonly file: string; readonly cwd: string; readonly env: Environment };

/** Outputs of this process, by program and folder: one start asks for the settings several times. */
const printed = new Map<string, { readonly at: number; readonly output: Printed }>();

/**
 * Run the program that computes managed settings, or return what it has printed within `refreshIntervalMs`; without that,
 * a process runs it once.
 *
 * @throws UsageError if the setting is invalid, or the program fails, takes too long or prints anything else
 */
export async function runPolicyHelper(
  setting: unknown,
  { file, cwd, env }: Place,
): Promise<{ readonly path: string; readonly output: Printed }> {
  const { path, timeoutMs, refreshIntervalMs } = readSetting(setting, file);
  const key = JSON.stringify([path, cwd]);
  const known = printed.get(key);
  const isFresh = refreshIntervalMs === 0 || Date.now() - (known?.at ?? 0) < refreshIntervalMs;
  if (known !== undefined && isFresh) return { path, output: known.output };
  const fail = (why: string): never => {
    throw new UsageError(
      `The policy helper ${path} ${why}. Nothing runs without its settings: repair it, or remove policyHelper.`,
      { file },
    );
  };
  const processes = createProcessSupervisor({ env });
  try {
    const { stdout, stderr, exitCode, isTimedOut, isTruncated } = await runProgram(processes, {
      taskId: 'policyHelper',
      command: `exec ${quoted(path)}`,
      cwd,
      env,
      timeoutMs,
      signal: new AbortController().signal,
    });
    if (isTimedOut) fail(`did not end within ${timeoutMs / 1_000} s`);
    const said = printableLine(stderr.trim()).slice(0, MOST_STDERR_CHARS);
    const more = said === '' ? '' : ` (${said})`;
    if (exitCode === null) fail(`was ended by a signal${more}`);
    if (exitCode !== 0) fail(`exited with ${exitCode}${more}`);
    if (isTruncated) fail('prints too much');
    if (stdout.trim() === '') fail('printed nothing');
    const output = parseJsonAs(Printed, stdout, { file: path, whole: 'The output of the helper' });
    if (output.managedSettings?.policyHelper !== undefined) fail('names a policyHelper itself');
    printed.set(key, { at: Date.now(), output });
    return { path, output };
  } finally {
    await processes.close();
  }
}

function readSetting(setting: unknown, file: string): z.infer<typeof PolicyHelper> {
  const parsed = PolicyHelper.safeParse(setting);
  if (!parsed.success)
    throw new UsageError(
      `policyHelper: ${z.prettifyError(parsed.error).replaceAll(/\s+/g, ' ')}. It is { "path": "/absolute/path", "timeoutMs": 10000, "refreshIntervalMs": 60000 }; only the path is needed.`,
      { file },
    );
  const { path } = parsed.data;
  if (!isAbsolute(path) || normalize(path) !== path)
    throw new UsageError(
      `policyHelper: the path ${JSON.stringify(path)} must be absolute, without "." and "..".`,
      { file },
    );
  return parsed.data;
}
