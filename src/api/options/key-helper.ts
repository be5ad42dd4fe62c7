import type { PrintKey } from '../../model/anthropic/key-cache.js';
import type { Workspace } from './workspace.js';

/** The command of the settings that prints the key of model requests. */
export type KeyHelper = {
  /** Run the command; undefined if no setting in effect names one. */
  readonly print?: PrintKey;
  /** Have the next key printed by the command that the settings name now. */
  readonly follow?: (workspace: Pick<Workspace, 'env' | 'layers'>) => void;
  /** File that names a command, and waits until its folder is trusted. */
  readonly waitsIn?: string;
};

/** Find the helper of a workspace. Before a key is requested, nothing is run or loaded for it. */
export function findKeyHelper(
  workspace: Pick<Workspace, 'layers' | 'waiting' | 'cwd' | 'env'>,
): KeyHelper {
  const { waiting, cwd } = workspace;
  let { env } = workspace;
  let command = commandOf(workspace);
  if (command !== undefined) {
    const print = async (signal: AbortSignal): Promise<string> => {
      if (command === undefined) throw await withoutCommand();
      const { runKeyHelper } = await import('../../settings/programs/run-key-helper.js');
      return runKeyHelper({ command, cwd, env, signal });
    };
    return {
      print: Object.defineProperties(print, {
        command: { get: () => command },
        env: { get: () => env },
      }),
      follow(now) {
        command = commandOf(now);
        env = now.env;
      },
    };
  }
  const file = waiting.findLast(({ paths }) => paths.some(([key]) => key === 'apiKeyHelper'))
    ?.loaded.file;
  return file === undefined ? {} : { waitsIn: file };
}

async function withoutCommand(): Promise<Error> {
  const { ModelKeyHelperError } = await import('../../model/errors/model-key-helper-error.js');
  return new ModelKeyHelperError('no setting names one any more');
}

function commandOf({ layers }: Pick<Workspace, 'layers'>): string | undefined {
  return layers.findLast(({ settings }) => settings.apiKeyHelper !== undefined)?.settings
    .apiKeyHelper;
}
