import type { RunCommand } from '../../command.js';
import { isTroupeError, messageOf } from '../../../api/errors.js';
import { tryServers, type TriedServer } from '../../../api/mcp/try-servers.js';
import { printJson, printTable, warn } from '../../output/print.js';
import { loadFolderServers } from './load-folder-servers.js';

type Listed = {
  readonly name: string;
  readonly status: 'connected' | 'failed' | 'needs-login' | 'needs-approval' | 'disabled';
  readonly place?: string;
  readonly tools?: number;
  readonly problem?: string;
};

/**
 * `troupe mcp list`: start the servers of this folder, print whether each connects, and end them again.
 *
 * @returns the exit code
 */
export const run: RunCommand = async (line, world) => {
  const { loaded, workspace } = await loadFolderServers(line.values('--mcp-config'), world);
  warn(loaded.warnings);
  const tried = await tryServers(loaded.servers, workspace);
  const { disabled = [], names = [], servers } = loaded;
  const others = new Set([...names, ...disabled].filter((name) => !Object.hasOwn(servers, name)));
  const listed: readonly Listed[] = [
    ...tried.map(toListed),
    ...[...others].map((name): Listed => ({
      name,
      status: disabled.includes(name) ? 'disabled' : 'needs-approval',
    })),
  ];
  if (line.given.has('--json')) await printJson(listed);
  else if (listed.length === 0) await printTable([['No MCP server is configured here.']]);
  else await printTable(listed.map((one) => [one.name, one.place ?? '', describe(one)]));
  return 0;
};

function toListed({ name, place, ...answer }: TriedServer): Listed {
  if ('tools' in answer) return { name, place, status: 'connected', tools: answer.tools };
  const { error } = answer;
  const needsLogin = isTroupeError(error) && error.code === 'MCP_LOGIN_NEEDED';
  return { name, place, status: needsLogin ? 'needs-login' : 'failed', problem: messageOf(error) };
}

function describe({ status, tools, problem }: Listed): string {
  switch (status) {
    case 'connected':
      return `connected, ${tools} ${tools === 1 ? 'tool' : 'tools'}`;
    case 'failed':
      return `failed: ${problem}`;
    case 'needs-login':
      return `needs login: ${problem}`;
    case 'needs-approval':
      return 'needs approval: name it in "enabledMcpjsonServers" of your settings';
    case 'disabled':
      return 'disabled';
    default:
      return status satisfies never;
  }
}
