import { messageOf } from '../../../api/errors.js';
import { loadServers } from '../../../api/options/load-servers.js';
import { tryServers } from '../../../api/try-servers.js';
import type { CommandLine } from '../../arguments/command-line.js';
import { isFolderTrusted, loadRunSettings, type World } from '../../run-settings.js';
import { printJson, printTable, warn } from '../print.js';

type Listed = {
  readonly name: string;
  readonly status: 'connected' | 'failed' | 'waiting';
  readonly place?: string;
  readonly tools?: number;
  readonly problem?: string;
};

/**
 * `troupe mcp list`: start the servers of this folder, print whether each connects, and end them again.
 *
 * @returns the exit code
 */
export async function run({ given }: CommandLine, world: World): Promise<number> {
  const trust = { trustsFolder: false };
  const workspace = await loadRunSettings(
    { ...trust, settings: [], settingSources: undefined, addDirectories: [] },
    world,
  );
  const loaded = await loadServers(
    {
      mcpOption: 'mcp',
      usesOnlyGivenServers: false,
      isTrusted: () => isFolderTrusted(trust, world),
    },
    undefined,
    workspace,
  );
  warn(loaded.warnings);
  const tried = await tryServers(loaded.servers, workspace);
  const waiting = (loaded.names ?? []).filter((name) => !Object.hasOwn(loaded.servers, name));
  const listed: readonly Listed[] = [
    ...tried.map(({ name, place, ...answer }): Listed => {
      if ('tools' in answer) return { name, place, status: 'connected', tools: answer.tools };
      return { name, place, status: 'failed', problem: messageOf(answer.error) };
    }),
    ...waiting.map((name): Listed => ({ name, status: 'waiting' })),
  ];
  if (given.has('--json')) await printJson(listed);
  else if (listed.length === 0) await printTable([['No MCP server is configured here.']]);
  else await printTable(listed.map((one) => [one.name, one.place ?? '', describe(one)]));
  return 0;
}

function describe({ status, tools, problem }: Listed): string {
  switch (status) {
    case 'connected':
      return `connected, ${tools} ${tools === 1 ? 'tool' : 'tools'}`;
    case 'failed':
      return `failed: ${problem}`;
    case 'waiting':
      return 'not started: it needs your approval, or is disabled';
    default:
      return status satisfies never;
  }
}
