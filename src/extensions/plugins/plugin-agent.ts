import { join } from 'node:path';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { nameSome } from '../../core/text/name-some.js';
import { attemptPart, parseObject, readInner, type PluginFolder } from './plugin-folder.js';
import type { PluginManifest } from './plugin-manifest.js';

const FILE = 'settings.json';

/**
 * Read the settings of a plugin: the file `settings.json`, above the field `settings` of the manifest. The only setting
 * with an effect is `agent`, one of the plugin's own agents.
 */
export function readPluginAgent(
  folder: PluginFolder,
  { settings = {} }: Pick<PluginManifest, 'settings'>,
  agents: readonly AgentDefinition[],
): { readonly agent: string | undefined; readonly notes: readonly string[] } {
  const { plugin, warn } = folder;
  const file = join(plugin.path, FILE);
  let written: Readonly<Record<string, unknown>> = settings;
  attemptPart(() => {
    const text = readInner(folder, FILE);
    if (text !== undefined) written = { ...settings, ...parseObject(text, file) };
  }, warn);
  const { agent: wanted, $schema: _, ...others } = written;
  const idle = Object.keys(others);
  const agent = agents.find(
    ({ name }) => name === wanted || name === `${plugin.name}:${String(wanted)}`,
  );
  if (wanted !== undefined && agent === undefined)
    warn(
      `${file}: "agent" has no effect: the plugin has no agent ${JSON.stringify(wanted)}, only ${
        nameSome(
          agents.map(({ name }) => name),
          8,
        ) || 'none'
      }.`,
    );
  const notes =
    idle.length === 0
      ? []
      : [
          `The plugin ${plugin.id}: settings of plugins without effect: ${nameSome(idle, 8)} (${file}).`,
        ];
  return { agent: agent?.name, notes };
}
