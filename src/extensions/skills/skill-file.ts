import type { Skill } from '../../core/commands/command.js';
import { given } from '../../core/json/given.js';
import { withFullStop } from '../../core/text/describe-issue.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { firstChars } from '../../core/text/first-chars.js';
import { readFrontmatter } from '../../files/frontmatter.js';
import { parseFields } from '../agents/parse-fields.js';
import type { SkillPlace } from './skill-place.js';
import { DROPPED_IF_INVALID, KNOWN_FIELDS, SkillFields } from './skill-fields.js';

/** The content of a skill file. */
export type SkillFile = {
  /** Absent if the file is invalid. */
  readonly skill?: Skill;
  /** Faults for the author to correct. Each begins with file and line. */
  readonly warnings: readonly string[];
  /** Fields that no skill has, for a summary. */
  readonly unknown?: readonly string[];
};

/** Longest fields of a skill; the longest ones of public collections have a tenth of it. */
const MOST_FIELD_CHARS = 64_000;
const MOST_LISTED_CHARS = 300;

/** The result for an invalid file. @param place file and line of the fault */
export function refuseSkillFile(place: string, why: string): SkillFile {
  return { warnings: [`${place}: the skill is left out: ${why.replace(/\.$/, '')}.`] };
}

/**
 * Read a skill from a Markdown file: the frontmatter has its fields, the rest is its text. Every field may be absent,
 * and a field without a value counts as absent.
 */
export async function parseSkillFile(text: string, place: SkillPlace): Promise<SkillFile> {
  const { file } = place;
  if (fieldChars(text) > MOST_FIELD_CHARS)
    return refuseSkillFile(`${file}:1`, `its fields have more than ${MOST_FIELD_CHARS} characters`);
  const parts = await readFrontmatter(text);
  if (!parts.ok) return withoutFields(place, parts);
  const { fields = {}, body, lineOf } = parts;
  const filled = Object.entries(fields).filter(([, value]) => value !== null && value !== '');
  const known = Object.fromEntries(filled.filter(([field]) => KNOWN_FIELDS.includes(field)));
  const parsed = parseFields(SkillFields, known, {
    whole: 'the skill',
    droppable: DROPPED_IF_INVALID,
  });
  if ('refused' in parsed)
    return refuseSkillFile(`${file}:${lineOf(parsed.refused.field)}`, parsed.refused.why);
  const description = parsed.data.description ?? firstLine(body);
  const unknown = filled
    .map(([field]) => ({ field, meant: meantBy(field, known) }))
    .filter(({ field }) => !KNOWN_FIELDS.includes(field));
  return {
    skill: toSkill(place, parsed.data, description, body.length),
    warnings: [
      ...parsed.dropped.map(
        ({ field, why }) => `${file}:${lineOf(field)}: ${why} The skill is loaded without it.`,
      ),
      ...unknown.flatMap(({ field, meant }) =>
        meant === undefined
          ? []
          : [`${file}:${lineOf(field)}: there is no field "${field}". Did you mean "${meant}"?`],
      ),
    ],
    unknown: unknown.flatMap(({ field, meant }) => (meant === undefined ? [field] : [])),
  };
}

type Given = (typeof SkillFields)['_output'];

/** The skill of a file whose fields cannot be read. They may forbid models to use it, so only people can. */
function withoutFields(
  place: SkillPlace,
  {
    line,
    message,
    body,
  }: { readonly line: number; readonly message: string; readonly body: string },
): SkillFile {
  const skill = toSkill(place, { 'disable-model-invocation': true }, firstLine(body), body.length);
  const why = withFullStop(message);
  return {
    skill,
    warnings: [
      `${place.file}:${line}: ${why} The skill is loaded without its fields, and only people can use it.`,
    ],
  };
}

function toSkill(
  place: SkillPlace,
  fields: Given,
  description: string,
  contentLength: number,
): Skill {
  const { kind, ...others } = place;
  const isSkill = kind === 'skill';
  const shown = isSkill && fields.name !== place.name ? fields.name : undefined;
  return {
    type: 'prompt',
    ...others,
    loadedFrom: LOADERS[place.source] ?? (isSkill ? 'skills' : 'commands_DEPRECATED'),
    description,
    hasUserSpecifiedDescription: fields.description !== undefined,
    contentLength,
    argNames: fields.arguments ?? [],
    allowedTools: fields['allowed-tools'] ?? [],
    disallowedTools: fields['disallowed-tools'] ?? [],
    context: fields.context ?? 'inline',
    shell: fields.shell ?? 'bash',
    paths: isSkill ? (fields.paths ?? []) : [],
    disableModelInvocation: fields['disable-model-invocation'] ?? false,
    userInvocable: fields['user-invocable'] ?? true,
    ...given({
      userFacingName: shown === undefined ? undefined : () => shown,
      argumentHint: fields['argument-hint'],
      whenToUse: fields.when_to_use,
      version: fields.version,
      model: fields.model?.toLowerCase() === 'inherit' ? undefined : fields.model,
      effort: fields.effort,
      agent: fields.agent,
      background: fields.background,
      hooks: fields.hooks,
    }),
  };
}

/** The loaders that have their own name. */
const LOADERS: { readonly [Source in Skill['source']]?: Skill['loadedFrom'] } = {
  policySettings: 'managed',
  plugin: 'plugin',
  bundled: 'bundled',
};

/** How long the frontmatter is, without reading it as YAML. */
function fieldChars(text: string): number {
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(text)) return 0;
  const end = text.search(/\n---[ \t]*(?:\r?\n|$)/);
  return end === -1 ? text.length : end;
}

/** The first line of a text that says something, without the marks of a heading. */
function firstLine(body: string): string {
  const lines = body.split('\n').map((line) => line.replace(/^[#>\s*-]+/, '').trim());
  return firstChars(lines.find((line) => line !== '') ?? '', MOST_LISTED_CHARS);
}

/** Fields of agents, with the fields of skills that say the same. */
const OF_AGENTS: ReadonlyMap<string, string> = new Map([
  ['tools', 'allowed-tools'],
  ['disallowedTools', 'disallowed-tools'],
]);

/** The field that is probably meant, unless the file already has it. */
function meantBy(field: string, known: Readonly<Record<string, unknown>>): string | undefined {
  if (OF_AGENTS.has(field)) return OF_AGENTS.get(field);
  const plain = field.replaceAll('_', '-').toLowerCase();
  const meant = nearestName(plain, KNOWN_FIELDS, field.length < 5 ? 1 : 2);
  return meant === undefined || Object.hasOwn(known, meant) ? undefined : meant;
}
