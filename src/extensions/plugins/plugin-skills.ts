import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Skill } from '../../core/commands/command.js';
import {
  findCommandsIn,
  findSkillsIn,
  type FoundSkills,
  type SkillOrigin,
} from '../skills/find-skill-files.js';
import { readSkills } from '../skills/read-skills.js';
import type { SkillPlace } from '../skills/skill-place.js';
import { attemptPart, existingPaths, isFolder, type PluginFolder } from './plugin-folder.js';
import { toHooks } from './plugin-hooks.js';
import type { PluginManifest } from './plugin-manifest.js';

const FILE = 'SKILL.md';

/**
 * Read the skills and commands of a plugin: `NAME:skill`.
 *
 * @param choosesSkills the named skills are all: the folder `skills` has those of other plugins, too
 */
export async function readPluginSkills(
  folder: PluginFolder,
  manifest: Pick<PluginManifest, 'commands' | 'skills'>,
  choosesSkills: boolean,
): Promise<readonly Skill[]> {
  const { plugin, roots, warn } = folder;
  const origin: SkillOrigin = { source: 'plugin', roots, pluginInfo: plugin };
  const found = [
    ...findPluginCommands(folder, manifest, origin),
    ...findPluginSkills(folder, { ...manifest, choosesSkills }, origin),
  ];
  for (const { warnings } of found) warnings.forEach(warn);
  const files = await readSkills(found.flatMap(({ places }) => places));
  const byName = new Map<string, Skill>();
  for (const { skill, warnings } of files) {
    warnings.forEach(warn);
    if (skill === undefined) continue;
    const own = withPrefix(skill, plugin.name);
    byName.set(own.name, own.hooks === undefined ? own : withFilledHooks(own, folder));
  }
  return [...byName.values()];
}

/** Fill the placeholders of the plugin in the hooks of a skill. Invalid hooks are left out. */
function withFilledHooks(skill: Skill, folder: PluginFolder): Skill {
  let hooks: Skill['hooks'];
  attemptPart(() => {
    hooks = toHooks(skill.hooks, skill.file ?? skill.name, folder);
  }, folder.warn);
  return { ...skill, hooks };
}

/** The field `name` of a `SKILL.md` is the last part of its command. */
function withPrefix(skill: Skill, prefix: string): Skill {
  const { userFacingName, ...others } = skill;
  const shown = userFacingName?.() ?? '';
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(shown)
    ? { ...others, name: `${prefix}:${shown}` }
    : { ...skill, name: `${prefix}:${skill.name}` };
}

function findPluginCommands(
  folder: PluginFolder,
  { commands = ['commands'] }: Pick<PluginManifest, 'commands'>,
  origin: SkillOrigin,
): readonly FoundSkills[] {
  if (!Array.isArray(commands))
    return Object.entries(commands).flatMap(([name, { source }]) =>
      existingPaths(folder, [source]).map((file) => foundOnly([commandPlace(file, origin, name)])),
    );
  const isDefault = commands.length === 1 && commands[0] === 'commands';
  const paths = isDefault
    ? [join(folder.plugin.path, 'commands')]
    : existingPaths(folder, commands);
  return paths.map((path) =>
    path.endsWith('.md') && !isFolder(path)
      ? foundOnly([commandPlace(path, origin, basename(path, '.md'))])
      : findCommandsIn(path, origin),
  );
}

/** The folder `skills` and the named ones; without any, a `SKILL.md` of the plugin itself. */
function findPluginSkills(
  folder: PluginFolder,
  { skills, choosesSkills }: Pick<PluginManifest, 'skills'> & { readonly choosesSkills: boolean },
  origin: SkillOrigin,
): readonly FoundSkills[] {
  const { path } = folder.plugin;
  const usual = join(path, 'skills');
  if (skills === undefined && !existsSync(usual) && existsSync(join(path, FILE)))
    return [foundOnly([skillPlace(path, origin)])];
  const named = existingPaths(folder, skills ?? []);
  const chosen = named.map((one) => join(basename(one) === FILE ? dirname(one) : one, '.'));
  const isChoice =
    choosesSkills && chosen.length > 0 && !chosen.some((one) => one === usual || one === path);
  return [...new Set(isChoice ? chosen : [usual, ...chosen])].map((one) =>
    existsSync(join(one, FILE)) ? foundOnly([skillPlace(one, origin)]) : findSkillsIn(one, origin),
  );
}

function skillPlace(skillRoot: string, origin: SkillOrigin): SkillPlace {
  const file = join(skillRoot, FILE);
  return { ...origin, name: basename(skillRoot), kind: 'skill', file, skillRoot };
}

function commandPlace(file: string, origin: SkillOrigin, name: string): SkillPlace {
  return { ...origin, name, kind: 'command', file, skillRoot: undefined };
}

function foundOnly(places: readonly SkillPlace[]): FoundSkills {
  return { places, warnings: [] };
}
