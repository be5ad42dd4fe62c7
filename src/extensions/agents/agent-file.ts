import { AgentDefinition } from '../../core/agents/agent-definition.js';
import { once } from '../../core/lazily.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { readFrontmatter, type MarkdownParts } from '../../files/frontmatter.js';
import { AgentFields, Flag } from './agent-spec.js';
import { parseFields } from './parse-fields.js';
import { EMPTY, refuseAgentFile, type AgentFile } from './refused-agent-file.js';
import { findUnknownTools } from './unknown-tools.js';

const fileFields = once(() =>
  AgentFields.unwrap().extend({
    name: AgentDefinition.shape.name.regex(/^[^\p{Cc}]+$/u, 'a name is one line of text'),
    background: Flag.optional(),
  }),
);
const knownFields = once(() => Object.keys(fileFields().shape));

/** The result for a file that is not an agent, such as a text beside agents. */
function noAgentFile(place: string, why: string): AgentFile {
  return { ...EMPTY, notes: [`${place}: this is not an agent: ${why}.`] };
}

/**
 * Read an agent from a Markdown file: the frontmatter has its fields, the rest is its system prompt. A file without a
 * name is a text beside agents. A field without a value counts as absent.
 *
 * @param file name of the text in warnings
 * @param fallbackName name of an agent whose file has none. With it, fields that are not YAML are read line by line, and
 * the description may be absent
 */
export async function parseAgentFile(
  text: string,
  file: string,
  { fallbackName }: { readonly fallbackName?: string } = {},
): Promise<AgentFile> {
  const strict = await readFrontmatter(text);
  const parts = strict.ok || fallbackName === undefined ? strict : (readFieldLines(text) ?? strict);
  if (!parts.ok) return refuseAgentFile(`${file}:${parts.line}`, parts.message);
  const { body, lineOf } = parts;
  const fields =
    parts.fields === undefined || fallbackName === undefined
      ? parts.fields
      : { name: fallbackName, description: fallbackName, ...withoutEmpty(parts.fields) };
  if (fields === undefined) return noAgentFile(file, 'it does not begin with --- and fields');
  const filled = Object.entries(fields).filter(([, value]) => value !== null);
  const given = Object.fromEntries(filled.filter(([field]) => knownFields().includes(field)));
  const at = (field: string): string => `${file}:${lineOf(field)}`;
  const unknown = filled
    .map(([field]) => field)
    .filter((field) => !knownFields().includes(field))
    .map((field) => ({ field, meant: meantBy(field, given) }));
  const misspelt = unknown.flatMap(({ field, meant }) =>
    meant === undefined
      ? []
      : [`${at(field)}: there is no field "${field}". Did you mean "${meant}"?`],
  );
  if (!Object.hasOwn(given, 'name')) {
    const isMeant = Object.hasOwn(given, 'description') && unknown.some(isName);
    return isMeant ? { ...EMPTY, warnings: misspelt } : noAgentFile(file, 'it has no "name"');
  }
  const parsed = parseFields(fileFields(), given, {
    whole: 'the agent',
    droppable: DROPPED_IF_INVALID,
  });
  if ('refused' in parsed) {
    const refused = refuseAgentFile(at(parsed.refused.field), parsed.refused.why);
    return { ...refused, warnings: [...refused.warnings, ...misspelt] };
  }
  const { description, ...others } = parsed.data;
  const agent: AgentDefinition = {
    ...others,
    description: description.replaceAll('\\n', '\n'), // other programs write line breaks like this
    prompt: body.trim(),
  };
  const unknownTools = await findUnknownTools(agent);
  return {
    agent,
    warnings: [
      ...misspelt,
      ...parsed.dropped.map(
        ({ field, why }) => `${at(field)}: ${why} The agent is loaded without it.`,
      ),
      ...(/\s/.test(agent.name)
        ? [
            `${at('name')}: the name "${agent.name}" has blanks. Write it with hyphens: models call it by its name.`,
          ]
        : []),
      ...(agent.prompt === ''
        ? [
            `${file}: the agent "${agent.name}" has no prompt: write below its fields what it should do.`,
          ]
        : []),
    ],
    missing: unknownTools.map(({ name, field, meant }) => {
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return `${at(field)}: there is no tool "${name}".${hint}`;
    }),
    notes: unknown.flatMap(({ field, meant }) =>
      meant === undefined ? [`${at(field)}: there is no field "${field}"; it is ignored.`] : [],
    ),
  };
}

/** Fields that restrict nothing. */
const DROPPED_IF_INVALID = ['background', 'color', 'effort', 'initialPrompt', 'memory', 'model'];

function withoutEmpty(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? '') !== ''));
}

/** Fields of several lines that may restrict an agent. */
const RESTRICTING = ['tools', 'disallowedTools', 'permissionMode'];

/**
 * Read the fields of a frontmatter that is not YAML, one a line. Lines that are no fields are skipped.
 *
 * @returns undefined if a field that may restrict the agent is not on one line
 */
function readFieldLines(text: string): Extract<MarkdownParts, { ok: true }> | undefined {
  const [, head, body] =
    /^---[ \t]*\n([^]*?)\n---[ \t]*(?:\n([^]*))?$/.exec(text.replaceAll('\r', '')) ?? [];
  if (head === undefined) return undefined;
  const found = head.split('\n').flatMap((line, index) => {
    const [, field, value = ''] = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    return field === undefined || !knownFields().includes(field)
      ? []
      : [{ field, value, line: index + 2 }];
  });
  if (found.some(({ field, value }) => RESTRICTING.includes(field) && value.trim() === ''))
    return undefined;
  return {
    ok: true,
    fields: Object.fromEntries(found.map(({ field, value }) => [field, valueOfLine(value.trim())])),
    body: body ?? '',
    lineOf: (field) => found.find((one) => one.field === field)?.line ?? 1,
  };
}

/** A list in brackets, or a text; both without quotes. */
function valueOfLine(text: string): string | readonly string[] {
  const plain = (one: string): string => one.trim().replace(/^(["'])(.*)\1$/, '$2');
  const list = /^\[(.*)\]$/.exec(text)?.[1];
  return list === undefined ? plain(text) : list.split(',').map(plain);
}

/** Whether the field is probably a misspelt `name`. */
function isName({ meant }: { readonly meant: string | undefined }): boolean {
  return meant === 'name';
}

/** The field that is probably meant, unless the file already has it. */
function meantBy(field: string, given: Readonly<Record<string, unknown>>): string | undefined {
  const meant = nearestName(field, knownFields(), field.length < 5 ? 1 : 2);
  return meant === undefined || Object.hasOwn(given, meant) ? undefined : meant;
}
