import { basename, join } from 'node:path';
import { findMarkdown } from '../files/find-markdown.js';
import { findWorkTree, foldersDownTo, realRoots, type UserFolders } from '../files/folders.js';
import { readFrontmatter } from '../files/frontmatter.js';
import { readPlantedFile } from '../files/read-planted-file.js';
import { nearestName } from '../core/text/nearest-name.js';
import type { ContextSource } from './memory/load-memory.js';

/** How the main agent answers. */
export type OutputStyle = {
  /** Name of the style. */
  readonly name: string;
  /** Text behind the system prompt of the main agent. */
  readonly prompt: string;
  /** Whether the instructions for work on software stay in the system prompt. */
  readonly keepsInstructions: boolean;
};

const DEFAULT = 'default';

const INSIGHTS =
  'Before and after you write code, explain in two or three short points, under the heading "Insight", why it is done so here: the choice, its alternative, the convention of this project. Explain what is particular to this code, not what every programmer knows.';

/** The styles beside `default`. */
const BUILT_IN_STYLES: readonly OutputStyle[] = [
  {
    name: 'Proactive',
    prompt:
      'Act at once. Make reasonable assumptions about routine matters instead of asking, say which ones you made, and prefer doing to planning. Permissions stay as they are.',
    keepsInstructions: true,
  },
  {
    name: 'Concise',
    prompt:
      'Begin with the result. Leave out preambles, narration and repetition. Keep answers as short as they can be; do the work as thoroughly as ever.',
    keepsInstructions: true,
  },
  { name: 'Explanatory', prompt: `The user wants to learn. ${INSIGHTS}`, keepsInstructions: true },
  {
    name: 'Learning',
    prompt: `The user wants to learn by doing. ${INSIGHTS} Leave small parts that need a decision, two to ten lines, for the user: write everything around them, put TODO(human) at the place, say what to write there and what to consider, and wait.`,
    keepsInstructions: true,
  },
];

/** Styles of a plugin: their names begin with its name. */
export type PluginStyles = {
  readonly name: string;
  /** Folder that the files must be in, absolute. */
  readonly path: string;
  /** Files and folders, absolute. */
  readonly styles: readonly string[];
};

type Place = {
  readonly cwd: string;
  readonly folders: UserFolders;
  readonly sources: readonly ContextSource[];
  readonly plugins?: readonly PluginStyles[];
};

/**
 * Find an output style by its name, in any case: in `.claude/output-styles` of the project, of the user, or built in.
 *
 * @returns a warning for an unknown or invalid one; nothing for the default
 */
export async function findOutputStyle(
  name: string,
  place: Place,
): Promise<{ readonly style?: OutputStyle; readonly warnings: readonly string[] }> {
  const wanted = name.toLowerCase();
  if (wanted === DEFAULT) return { warnings: [] };
  const { styles, warnings } = await readStyles(place);
  const style = [...BUILT_IN_STYLES, ...styles].findLast(
    (one) => one.name.toLowerCase() === wanted,
  );
  if (style !== undefined) return { style, warnings: [] };
  const names = [...listBuiltInStyles(), ...styles.map((one) => one.name)];
  const nearest = nearestName(name, names);
  const hint =
    nearest === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${nearest}?`;
  return { warnings: [...warnings, `There is no output style "${name}". ${hint}`] };
}

/** The names of all styles: the default, the built-in ones, those of files. */
export async function listOutputStyles(place: Place): Promise<readonly string[]> {
  const { styles } = await readStyles(place);
  return [...new Set([...listBuiltInStyles(), ...styles.map(({ name }) => name)])];
}

/** The names of the styles that need no file. */
export function listBuiltInStyles(): readonly string[] {
  return [DEFAULT, ...BUILT_IN_STYLES.map(({ name }) => name)];
}

/** All styles of files, weakest first. */
async function readStyles({ cwd, folders, sources, plugins = [] }: Place) {
  const project = sources.includes('project') ? foldersDownTo(cwd, findWorkTree(cwd) ?? cwd) : [];
  const inFolder = (folder: string): string => join(folder, 'output-styles');
  const places: readonly StylePlace[] = [
    ...plugins.flatMap(({ name, path, styles: paths }) =>
      paths.map((one) => ({ path: one, roots: [path], prefix: `${name}:` })),
    ),
    ...(sources.includes('user') ? [{ path: inFolder(folders.claude), roots: undefined }] : []),
    ...project.map((one) => ({ path: inFolder(join(one, '.claude')), roots: realRoots(one) })),
  ];
  const styles: OutputStyle[] = [];
  const warnings: string[] = [];
  for (const { path: place, roots, prefix = '' } of places) {
    const found = place.endsWith('.md')
      ? { paths: [place], warnings: [] }
      : findMarkdown(place, roots);
    warnings.push(...found.warnings);
    for (const path of found.paths) {
      const read = readPlantedFile(path, { roots });
      if (read.status === 'missing') continue;
      const parts = read.status === 'read' ? await readFrontmatter(read.text) : undefined;
      if (parts?.ok === true) styles.push(toStyle(path, parts, prefix));
      else {
        const why = read.status === 'unusable' ? read.why : parts?.ok === false && parts.message;
        warnings.push(`${path}: the output style is left out: ${why || 'it cannot be read'}.`);
      }
    }
  }
  return { styles, warnings };
}

type StylePlace = {
  /** A file or a folder, absolute. */
  readonly path: string;
  readonly roots: readonly string[] | undefined;
  readonly prefix?: string;
};

function toStyle(
  path: string,
  {
    fields = {},
    body,
  }: { readonly fields: Readonly<Record<string, unknown>> | undefined; readonly body: string },
  prefix: string,
): OutputStyle {
  const { name } = fields;
  return {
    name: `${prefix}${typeof name === 'string' && name !== '' ? name : basename(path, '.md')}`,
    prompt: body.trim(),
    keepsInstructions: fields['keep-coding-instructions'] === true,
  };
}
