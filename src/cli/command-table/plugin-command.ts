/** `troupe plugin`. */
export const PLUGIN = {
  summary: 'install, list, check and remove plugins, and their marketplaces',
  details: `install: NAME@MARKETPLACE, copied into ~/.claude/plugins and enabled in settings
marketplace: add FOLDER|OWNER/NAME|URL, list, update [NAME], remove NAME
validate: check the folder of a plugin or a marketplace; exit code 1 if a part would be left out

--scope is user (default), project or local: which settings enable the plugin.`,
  aliases: { rm: 'remove', uninstall: 'remove' },
  actions: {
    install: {
      words: [{ name: 'NAME', isRest: true }],
      flags: ['--scope'],
      load: () => import('../commands/plugin/install-plugin.js'),
    },
    list: { flags: ['--json'], load: () => import('../commands/plugin/list-plugins.js') },
    enable: {
      words: [{ name: 'NAME' }],
      flags: ['--scope'],
      load: () => import('../commands/plugin/enable-plugin.js'),
    },
    disable: {
      words: [{ name: 'NAME' }],
      flags: ['--scope'],
      load: () => import('../commands/plugin/disable-plugin.js'),
    },
    remove: {
      words: [{ name: 'NAME' }],
      flags: ['--scope', '--keep-data'],
      load: () => import('../commands/plugin/remove-plugin.js'),
    },
    update: {
      words: [{ name: 'NAME' }],
      flags: ['--scope'],
      load: () => import('../commands/plugin/update-plugin.js'),
    },
    validate: {
      words: [{ name: 'FOLDER', isOptional: true, offer: 'folders' }],
      flags: ['--json'],
      load: () => import('../commands/plugin/validate-plugin.js'),
    },
    marketplace: {
      words: [
        { name: 'add|list|update|remove', offer: ['add', 'list', 'update', 'remove'] },
        { name: 'SOURCE|NAME', isOptional: true },
      ],
      flags: ['--json'],
      load: () => import('../commands/plugin/marketplaces.js'),
    },
  },
} as const;
