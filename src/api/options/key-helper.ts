import type { PrintKey } from '../../model/anthropic/key-cache.js';
import type { Workspace } from './workspace.js';

/** The command of the settings that prints the key of model requests. */
export type KeyHelper = {
  /** Run the command; undefined if no setting in effect names one. */
  readonly print?: PrintKey;
  /** File that names a command, and waits until its folder is trusted. */
  readonly waitsIn?: string;
};

/** Find the helper of a workspace. Before a key is requested, nothing is run or loaded for it. */
export function findKeyHelper({
  layers,
  waiting,
  cwd,
  env,
}: Pick<Workspace, 'layers' | 'waiting' | 'cwd' | 'env'>): KeyHelper {
  const command = layers.findLast(({ settings }) => settings.apiKeyHelper !== undefined)?.settings
    .apiKeyHelper;
  if (command !== undefined)
    return {
      async print(signal) {
        const { runKeyHelper } = await import('../../settings/run-key-helper.js');
        return runKeyHelper({ command, cwd, env, signal });
      },
    };
  const file = waiting.findLast(({ paths }) => paths.some(([key]) => key === 'apiKeyHelper'))
    ?.loaded.file;
  return file === undefined ? {} : { waitsIn: file };
}
