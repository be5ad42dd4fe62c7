import { statSync } from 'node:fs';
import { extname, parse, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nearFileHint } from '../../files/near-file.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { messageOf } from '../../core/errors.js';
import { readYaml, type Place, type YamlSource } from '../../core/text/yaml-source.js';
import { readTeam, type TeamProblem, type TeamSurroundings } from './find-team-problems.js';
import type { TeamDefinition } from './team-definition.js';
import { TeamFileError } from './team-file-error.js';
import { requireText } from '../../core/text/require-text.js';

/** Limit of problems in one error: nobody reads more. */
const MOST_PROBLEMS = 100;
const MAX_BYTES = 10_000_000;
const PROGRAMS = ['.js', '.mjs', '.ts', '.mts'];

/**
 * Read a team from a YAML or JSON file, or from a module that exports a team as default: `export default defineTeam({ …
 * })`. A module is run.
 *
 * @param known names of agents and tools; a list that is absent is not checked
 * @throws TeamFileError with everything that is wrong, each as `file:line:column: …`
 * @example const team = await loadTeam('review.yaml') const workflow = await session.workflow(planTeam(team, { base:
 * 'main' }))
 */
export async function loadTeam(
  file: string,
  known: TeamSurroundings = {},
): Promise<TeamDefinition> {
  requireText('loadTeam: file', file);
  const source = PROGRAMS.includes(extname(file)) ? await runModule(file) : await readSource(file);
  if (isScript(source.value))
    throw new TeamFileError([
      `${file}: This is a script of a scripted model, not a team. To play it: --model scripted:${file}.`,
    ]);
  const read = readTeam(withName(source.value, file), known);
  if (read.ok) return read.team;
  const problems = read.problems
    .slice(0, MOST_PROBLEMS + 1)
    .map((problem) => ({ problem, place: source.placeOf?.(problem) }));
  problems.sort(({ place: a }, { place: b }) =>
    a === undefined || b === undefined ? 0 : a.line - b.line || a.column - b.column,
  );
  throw wrong(
    file,
    problems.map(({ problem, place }) => describe(problem, file, place)),
  );
}

function isScript(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'version' in value && !('tasks' in value);
}

/** Give a team without a name the name of its file. */
function withName(value: unknown, file: string): unknown {
  const isTeam = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isTeam && !('name' in value) ? { name: parse(file).name, ...value } : value;
}

function wrong(file: string, lines: readonly string[]): TeamFileError {
  if (lines.length <= MOST_PROBLEMS) return new TeamFileError(lines);
  const more = `${file}: There are more problems: these are the first ${MOST_PROBLEMS}.`;
  return new TeamFileError([...lines.slice(0, MOST_PROBLEMS), more]);
}

type Source = { readonly value: unknown; placeOf?(problem: TeamProblem): Place };

async function readSource(file: string): Promise<Source> {
  const found = readPlantedFile(file, { maxBytes: MAX_BYTES });
  if (found.status === 'missing')
    throw new TeamFileError([
      statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
        ? `${file}: The team cannot be read: it is a folder, not a file.`
        : `${file}: The team cannot be read: the file does not exist.${await nearFileHint(file)}`,
    ]);
  if (found.status === 'unusable')
    throw new TeamFileError([`${file}: The team cannot be read: ${found.why}`]);
  const read = await readYaml(found.text);
  if (!read.ok)
    throw wrong(
      file,
      read.problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`),
    );
  return { value: read.source.value, placeOf: (problem) => placeOf(read.source, problem) };
}

async function runModule(file: string): Promise<Source> {
  try {
    const loaded = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown };
    return { value: loaded.default };
  } catch (error) {
    if (error instanceof TeamFileError) throw error; // thrown by defineTeam
    const isTypeScript = (error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION';
    const why = isTypeScript
      ? 'this version of Node cannot read TypeScript: use Node 22.18 or later, or write the file as .mjs'
      : messageOf(error);
    throw new TeamFileError([`${file}: The team cannot be loaded: ${why}`], { cause: error });
  }
}

function placeOf(source: YamlSource, { path, key, at }: TeamProblem): Place {
  if (key !== undefined) return source.placeOfKey(path, key);
  if (at !== undefined) return source.placeIn(path, at);
  const name = path.at(-1);
  const isNamed = path.length === 2 && typeof name === 'string'; // a whole task, agent or input
  return isNamed ? source.placeOfKey(path.slice(0, -1), name) : source.placeOf(path);
}

function describe({ path, message }: TeamProblem, file: string, place: Place | undefined): string {
  const at = place === undefined ? file : `${file}:${place.line}:${place.column}`;
  const where = path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${part}`),
    '',
  );
  const end = /[.?]$/.test(message) ? '' : '.';
  return `${at}: ${where === '' ? 'the team' : where.slice(1)}: ${message}${end}`;
}
