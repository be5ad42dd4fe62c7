import { listLanguageServers } from '../../api/extensions/language-servers.js';
import type { SettingsLayers } from '../../api/types.js';
import { found, type Check } from './check.js';

type Folder = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Look for the programs of the language servers that agents can ask. No server is started. */
export function checkLanguageServers(
  layers: SettingsLayers['layers'],
  { cwd, env }: Folder,
): readonly Check[] {
  const lspServers = Object.assign({}, ...layers.map(({ settings }) => settings.lspServers));
  const servers = listLanguageServers({ lspServers, cwd, env });
  if (servers.length === 0)
    return [found('lsp', 'ok', 'No language server: sessions here have no tool LSP.')];
  return servers.map(({ name, command, program }) =>
    program === undefined
      ? found(
          'lsp',
          'warn',
          `${name}: there is no program "${command}".`,
          'Install it, or take the server out of lspServers.',
        )
      : found('lsp', 'ok', `${name}: ${program} (not started)`),
  );
}
