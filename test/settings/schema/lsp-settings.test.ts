import { describe, expect, it } from 'vitest';
import { explainSettings } from '../../../src/settings/explain/explain-settings.js';
import { mergeSettings } from '../../../src/settings/merge/merge-settings.js';
import { restrictSettings } from '../../../src/settings/files/restrict-settings.js';

const pyright = { command: 'pyright', extensionToLanguage: { '.py': 'python' } };
const jedi = { command: 'jedi', extensionToLanguage: { '.py': 'python' } };
const gopls = { command: 'gopls', extensionToLanguage: { '.go': 'go' } };

describe('lspServers', () => {
  it('are merged server by server, the highest layer first', () => {
    const layers = [
      { lspServers: { python: pyright, go: gopls } },
      { lspServers: { python: jedi } },
    ];
    expect(mergeSettings(layers)).toEqual({ lspServers: { python: jedi, go: gopls } });
  });

  it('of a folder that is not trusted wait: they are programs', () => {
    expect(restrictSettings({ lspServers: { python: pyright } }, 'default')).toEqual({
      settings: { permissions: {} },
      waiting: [['lspServers']],
    });
  });

  it('are explained one by one', () => {
    const user = { source: 'userSettings', settings: { lspServers: { go: gopls } } } as const;
    const flag = { source: 'flagSettings', settings: { lspServers: { python: jedi } } } as const;
    const { values } = explainSettings({ layers: [user, flag], found: [user, flag], waiting: [] });
    expect(values.map(({ key, value, source }) => [key, value, source])).toEqual([
      ['lspServers.go', gopls, 'userSettings'],
      ['lspServers.python', jedi, 'flagSettings'],
    ]);
  });
});
