import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { languageServersOfSession } from '../../../src/actors/lsp/language-servers.js';
import type { Settings } from '../../../src/actors/options/settings.js';
import { given } from '../../../src/core/json/given.js';
import type { TaskId } from '../../../src/core/ids.js';
import {
  createProcessSupervisor,
  type ProcessSupervisor,
} from '../../../src/processes/process-supervisor.js';
import type { LspServerConfig } from '../../../src/settings/schema/lsp-settings.js';

const require = createRequire(import.meta.url);
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A server for files with the ending `.fake`. */
export function fakeServer(
  behaviour = 'good',
  config: Partial<LspServerConfig> = {},
): LspServerConfig {
  return {
    command: process.execPath,
    args: [pathOf('fake-server.mjs'), behaviour],
    extensionToLanguage: { '.fake': 'fake' },
    ...config,
  };
}

/** The real language server of TypeScript, with the compiler that it needs. */
export function typescriptServer(): LspServerConfig {
  return {
    command: process.execPath,
    args: [require.resolve('typescript-language-server/lib/cli.mjs'), '--stdio'],
    extensionToLanguage: { '.ts': 'typescript' },
    initializationOptions: {
      disableAutomaticTypingAcquisition: true,
      tsserver: {
        path: require.resolve('typescript5/lib/tsserver.js'),
        useSyntaxServer: 'never',
      },
    },
  };
}

export const SESSION = 's00000000' as TaskId;

export type ServersOptions = Partial<Pick<Settings, 'lspServers' | 'env' | 'isTrusted'>> & {
  /** How long a change waits. */
  readonly changeMs?: number;
};

/** The language servers of a session in a folder; `agent` makes those of one agent. */
export function openServers(
  cwd: string,
  { lspServers = {}, env = {}, isTrusted = true, changeMs }: ServersOptions,
  processes: ProcessSupervisor,
) {
  const settings = { lspServers, cwd, env: { PATH: '/usr/bin:/bin', ...env }, isTrusted };
  return {
    processes,
    agent: languageServersOfSession({ taskId: SESSION }, settings, {
      processes,
      ...given({ changeMs }),
    }),
  };
}

/** A supervisor that ends with the test. */
export function createSupervisor(): ProcessSupervisor {
  const processes = createProcessSupervisor({ env: process.env });
  onTestFinished(async () => void (await processes.close()));
  return processes;
}

/** Put a program into a project that has the name of TypeScript's server. @returns its path */
export async function installServer(root: string): Promise<string> {
  const folder = join(root, 'node_modules', '.bin');
  await mkdir(folder, { recursive: true });
  const program = join(folder, 'typescript-language-server');
  const fake = pathOf('fake-server.mjs');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${fake}' good\n`, {
    mode: 0o755,
  });
  return program;
}
