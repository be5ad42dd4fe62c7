import type { Environment } from '../../files/folders.js';
import type { LspServers } from '../../settings/schema/lsp-settings.js';
import { extname, join, resolve } from 'node:path';
import { findExecutable, isExecutable } from '../../processes/start/containment.js';
import type { LspServerConfig } from '../../settings/schema/lsp-settings.js';
import { hasProgram } from '../../tools/shell/has-program.js';

const PROGRAM = 'typescript-language-server';

const TYPESCRIPT_ENDINGS: LspServerConfig['extensionToLanguage'] = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascriptreact',
};

/** The server for syntax answers before the project is loaded, and knows nothing of other files. */
const TYPESCRIPT_OPTIONS = {
  disableAutomaticTypingAcquisition: true, // it would run npm
  tsserver: { useSyntaxServer: 'never' },
};

/** The language server of a file. */
export type ChosenServer = {
  readonly name: string;
  readonly config: LspServerConfig;
  /** No setting names it: it was found. */
  readonly isFound: boolean;
};

export type ServerSettings = {
  readonly lspServers: LspServers;
  readonly cwd: string;
  readonly env: Environment;
};

/** Choose the server of a file by the ending of its name: one of the settings, or else one that is found. */
export function chooseServer(
  settings: ServerSettings,
  root: string,
  path: string,
): ChosenServer | undefined {
  const ending = extname(path);
  const named = Object.entries(settings.lspServers).find(([, { extensionToLanguage }]) =>
    Object.hasOwn(extensionToLanguage, ending),
  );
  if (named !== undefined) return { name: named[0], config: named[1], isFound: false };
  if (!Object.hasOwn(TYPESCRIPT_ENDINGS, ending)) return undefined;
  const command = findInstalled([root, settings.cwd]) ?? findExecutable(PROGRAM, settings.env);
  if (command === undefined) return undefined;
  const config = {
    command,
    args: ['--stdio'],
    extensionToLanguage: TYPESCRIPT_ENDINGS,
    initializationOptions: TYPESCRIPT_OPTIONS,
  };
  return { name: 'typescript', config, isFound: true };
}

/** A language server that a session can start. */
export type ListedServer = Pick<ChosenServer, 'name'> & {
  readonly command: string;
  /** The file of the program; undefined if it is not installed. */
  readonly program: string | undefined;
};

/** List the servers of the settings, and the one that is found without a setting. */
export function listLanguageServers(settings: ServerSettings): readonly ListedServer[] {
  const named = Object.entries(settings.lspServers).map(([name, { command, env }]) => ({
    name,
    command,
    program: findProgram(command, { ...settings, env: { ...settings.env, ...env } }),
  }));
  const typescript = chooseServer(settings, settings.cwd, 'any.ts');
  if (typescript?.isFound !== true) return named;
  const { name, config } = typescript;
  return [...named, { name, command: config.command, program: config.command }];
}

function findProgram(command: string, { cwd, env }: ServerSettings): string | undefined {
  if (!command.includes('/')) return findExecutable(command, env);
  const path = resolve(cwd, command);
  return isExecutable(path) ? path : undefined;
}

/** Whether a session can have language servers. */
export function hasLanguageServers({ lspServers, cwd, env }: ServerSettings): boolean {
  const isNamed = Object.keys(lspServers).length > 0;
  return isNamed || findInstalled([cwd]) !== undefined || hasProgram(PROGRAM, env);
}

/** The program that the project has installed. */
function findInstalled(folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, 'node_modules', '.bin', PROGRAM)).find(isExecutable);
}
