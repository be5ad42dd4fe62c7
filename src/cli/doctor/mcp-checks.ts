import { loadServers } from '../../api/options/load-servers.js';
import type { Workspace } from '../../api/options/workspace.js';
import { messageOf } from '../../api/errors.js';
import type { LoadedMcpConfig } from '../../api/types.js';
import { tryServers, type TriedServer } from '../../api/mcp/try-servers.js';
import type { McpArguments, SettingsArguments } from '../arguments/run-arguments.js';
import { isFolderTrusted } from '../run/run-settings.js';
import { found, type Check } from './check.js';

type Folder = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly layers: Workspace['layers'];
};

/** Check the servers that a run would start. @param connects whether to start them, and end them again */
export async function checkMcp(
  sources: McpArguments & Pick<SettingsArguments, 'settingSources' | 'trustsFolder'>,
  folder: Folder,
  { connects }: { readonly connects: boolean },
): Promise<readonly Check[]> {
  let loaded: LoadedMcpConfig;
  try {
    const isTrusted = (): Promise<boolean> => isFolderTrusted(sources, folder);
    const choices = { ...sources, isTrusted, mcpOption: '--mcp-config' };
    loaded = await loadServers(choices, sources.settingSources, folder);
  } catch (error) {
    return [found('mcp', 'fail', messageOf(error))];
  }
  const warnings = loaded.warnings.map((why) => found('mcp', 'warn', why));
  const servers = Object.entries(loaded.servers);
  if (servers.length === 0)
    return [...warnings, found('mcp', 'ok', 'A run here starts no server.')];
  if (!connects) {
    const names = servers.map(([name]) => name).join(', ');
    const message = `A run here starts ${names} (not tried: see doctor --mcp).`;
    return [...warnings, found('mcp', 'ok', message)];
  }
  const tried = await tryServers(loaded.servers, folder);
  return [...warnings, ...tried.map(describeTried)];
}

function describeTried({ name, place, ...answer }: TriedServer): Check {
  if ('tools' in answer) return found('mcp', 'ok', `${name} answers: ${answer.tools} tools.`);
  const help = `Check ${/^https?:/.test(place) ? 'its address' : 'its command'}: ${place}`;
  return found('mcp', 'warn', `${name} does not answer: ${messageOf(answer.error)}`, help);
}
