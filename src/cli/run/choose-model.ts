import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { UsageError } from '../../api/errors.js';
import { findNearFile, nearFileHint, nearestName } from '../../api/text.js';
import { given } from '../../api/given.js';
import type { KeyHelper } from '../../api/options/key-helper.js';
import type { Model } from '../../api/types.js';

const SCRIPTED = 'scripted:';

/** The alternatives to a key on the command line. */
export const INSTEAD_OF_A_KEY =
  'set apiKeyHelper in settings, or run without a network: --model scripted:FILE';

/** Whether `--model` names a script. */
export function isScripted(name: string): boolean {
  return name.startsWith(SCRIPTED);
}

/**
 * Open the model that `--model` names: `scripted:FILE`, or a model of the Messages API.
 *
 * @throws UsageError for a script with a mistake, with file, line and column
 * @throws ModelAuthMissingError if there is no key for the Messages API
 */
export async function chooseModel(
  name: string | undefined,
  {
    cwd,
    env,
    betas = [],
    keyHelper = {},
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Values of `--betas`. */
    readonly betas?: readonly string[];
    readonly keyHelper?: KeyHelper;
  },
): Promise<{ readonly model: Model; readonly modelName: string | undefined }> {
  if (name !== undefined && isScripted(name)) {
    const file = name.slice(SCRIPTED.length);
    if (file === '') throw new UsageError('--model scripted: needs a file: --model scripted:FILE.');
    const { createScriptedModel, loadScriptFile, SCRIPTED_MODEL_NAME } =
      await import('../../api/models/scripted-models.js');
    const variables = { cwd };
    if (!existsSync(file))
      throw new UsageError(`There is no such script.${await nearFileHint(file)}`, { file });
    const script = await loadScriptFile(file, { variables });
    const model = createScriptedModel(script, { variables, file: resolve(file) });
    return { model, modelName: SCRIPTED_MODEL_NAME };
  }
  if (name !== undefined) await refuseFile(name, cwd);
  const { openAnthropicModel, ModelAuthMissingError } = await import('../../api/models/models.js');
  try {
    return openAnthropicModel(name, env, { betas, ...given({ apiKeyHelper: keyHelper.print }) });
  } catch (error) {
    if (!(error instanceof ModelAuthMissingError)) throw error;
    throw new ModelAuthMissingError(env, INSTEAD_OF_A_KEY, keyHelper.waitsIn);
  }
}

/** @throws UsageError for a name that is meant to be a script: a file that exists, or nearly, or one behind a misspelt `scripted:` */
async function refuseFile(name: string, cwd: string): Promise<void> {
  const [, prefix = '', word = ''] = /^(?:(\w+):)?(.+\.(?:ya?ml|json))$/.exec(name) ?? [];
  if (word === '') return;
  const found = await findNearFile(resolve(cwd, word));
  if (found === undefined && nearestName(prefix, ['script', 'scripted']) === undefined) return;
  const file = found === undefined || found === resolve(cwd, word) ? word : relative(cwd, found);
  throw new UsageError(
    `--model: there is no model "${name}". Did you mean --model scripted:${file}?`,
  );
}
