import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { isRecord } from '../../core/json/is-record.js';
import type { LspServerConfig } from '../../settings/schema/lsp-settings.js';

/** Most questions of one request about the configuration. */
const MOST_ITEMS = 100;

const ConfigurationParams = z.object({
  items: z
    .array(z.object({ section: z.string().nullish() }))
    .transform((items) => items.slice(0, MOST_ITEMS)),
});

/**
 * Answer a request of a server. Nothing that a server asks for changes a file or shows a dialogue.
 *
 * @returns the result; undefined if there is no such method
 */
export function answerServer(
  method: string,
  params: unknown,
  { config, root }: { readonly config: LspServerConfig; readonly root: string },
): unknown {
  switch (method) {
    case 'workspace/configuration': {
      const { items = [] } = ConfigurationParams.safeParse(params).data ?? {};
      return items.map(({ section }) => sectionOf(config.settings, section ?? ''));
    }
    case 'workspace/workspaceFolders':
      return [{ uri: pathToFileURL(root).href, name: basename(root) }];
    case 'workspace/applyEdit':
      return { applied: false, failureReason: 'Language servers cannot edit files here.' };
    case 'window/showDocument':
      return { success: false };
    case 'client/registerCapability':
    case 'client/unregisterCapability':
    case 'window/showMessageRequest':
    case 'window/workDoneProgress/create':
      return null;
    default:
      return undefined;
  }
}

/** The settings below a name such as `python.analysis`; null if there are none. */
function sectionOf(settings: unknown, section: string): unknown {
  if (section === '') return settings ?? null;
  if (!isRecord(settings)) return null;
  if (Object.hasOwn(settings, section)) return settings[section];
  const [first = '', ...rest] = section.split('.');
  if (rest.length === 0 || !Object.hasOwn(settings, first)) return null;
  return sectionOf(settings[first], rest.join('.'));
}
