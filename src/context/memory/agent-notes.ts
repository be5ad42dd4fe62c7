import { join } from 'node:path';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { ScopedRules } from '../../core/permission-types.js';
import { realRoots, type UserFolders } from '../../files/folders.js';
import { readPlantedFile } from '../../files/read-planted-file.js';

/** Lines and characters of MEMORY.md in the prompt, as published. */
const MOST_LINES = 200;
const MOST_CHARACTERS = 25_000;

type Place = { readonly cwd: string; readonly folders: Pick<UserFolders, 'claude'> };

/** The folder of an agent's own notes; undefined for an agent without notes. */
export function notesFolder(
  { name, memory }: Pick<AgentDefinition, 'memory' | 'name'>,
  { cwd, folders: { claude } }: Place,
): string | undefined {
  const own = name.replaceAll(/[^\w-]+/g, '-');
  switch (memory) {
    case undefined:
      return undefined;
    case 'user':
      return join(claude, 'agent-memory', own);
    case 'project':
      return join(cwd, '.claude', 'agent-memory', own);
    case 'local':
      return join(cwd, '.claude', 'agent-memory-local', own);
    default:
      return memory satisfies never;
  }
}

/** The agent's notes as a part of its system prompt; undefined for an agent without notes. */
export function renderNotes(
  definition: Pick<AgentDefinition, 'memory' | 'name'>,
  place: Place,
): string | undefined {
  const folder = notesFolder(definition, place);
  if (folder === undefined) return undefined;
  const roots = definition.memory === 'user' ? undefined : realRoots(place.cwd);
  return describeNotes(
    folder,
    'You keep notes for later tasks: what you have learnt and will need again.',
    roots,
  );
}

/** The notes of teams, for a teammate that joins. */
export function renderTeamNotes(folder: string): string {
  return describeNotes(
    folder,
    'The teams of this project share notes: what all their members should know, now and in later sessions.',
  );
}

function describeNotes(folder: string, purpose: string, roots?: readonly string[]): string {
  const read = readPlantedFile(join(folder, 'MEMORY.md'), { roots });
  const text = read.status === 'read' ? firstOfNotes(read.text) : '';
  return [
    `${purpose} They are in ${folder}. Change them with Write and Edit, without asking. MEMORY.md there is in this prompt, up to line ${MOST_LINES}: keep it short, and put details into other files that it names.`,
    text === '' ? 'MEMORY.md is empty so far.' : `Contents of MEMORY.md:\n\n${text}`,
  ].join('\n\n');
}

/** The part of MEMORY.md that counts. */
export function firstOfNotes(text: string): string {
  return text.split('\n').slice(0, MOST_LINES).join('\n').slice(0, MOST_CHARACTERS).trim();
}

/** Tools that an agent with notes has in any case. */
export const NOTES_TOOLS: readonly string[] = ['Read', 'Write', 'Edit'];

/** Rules that let an agent read and change its notes; undefined without notes. */
export function rulesOfNotes(
  definition: Pick<AgentDefinition, 'memory' | 'name'>,
  place: Place,
): ScopedRules | undefined {
  const folder = notesFolder(definition, place);
  return folder === undefined ? undefined : rulesOfFolder(folder);
}

/** Rules that let agents read and change the files of a folder of notes. */
export function rulesOfFolder(folder: string): ScopedRules | undefined {
  if (/[*?[\]()]/.test(folder)) return undefined; // not expressible as a rule
  return { allow: [`Read(/${folder}/**)`, `Edit(/${folder}/**)`] };
}
