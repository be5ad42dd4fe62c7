import type { z } from 'zod';
import { AgentDefinition } from '../../core/agent-definition.js';
import { readFrontmatter } from '../../context/frontmatter.js';
import { AgentFields, fieldsWithoutEffect } from './agent-spec.js';

const FileFields = AgentFields.extend({
  name: AgentDefinition.shape.name.regex(/^[^\p{Cc}]+$/u, 'a name is one line of text'),
});
const KNOWN = Object.keys(FileFields.shape);

export type AgentFile = {
  /** Absent where the file cannot be used; then a warning says why. */
  readonly agent?: AgentDefinition;
  /** Each begins with file and line. */
  readonly warnings: readonly string[];
};

/**
 * Reads an agent from a Markdown file: the frontmatter has its fields, the rest is its system prompt. Fields that nobody
 * knows are told of and change nothing; a field without a value counts as absent.
 *
 * @param file what the text is called in warnings
 */
export async function parseAgentFile(text: string, file: string): Promise<AgentFile> {
  const parts = await readFrontmatter(text);
  const refuse = (line: number, why: string): AgentFile => ({
    warnings: [`${file}:${line}: the agent is left out: ${why}`],
  });
  if (!parts.ok) return refuse(parts.line, `${parts.message}.`);
  const { fields, body, lineOf } = parts;
  if (fields === undefined)
    return refuse(1, 'an agent begins with --- and its fields, "name" and "description" at least.');

  const filled = Object.entries(fields).filter(([, value]) => value !== null);
  const given = Object.fromEntries(filled.filter(([field]) => KNOWN.includes(field)));
  const parsed = FileFields.safeParse(given, { reportInput: true });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path[0] ?? '');
    return refuse(lineOf(field), `"${field}": ${describe(issue)}.`);
  }
  const { description, ...others } = parsed.data;
  const agent: AgentDefinition = {
    ...others,
    description: description.replaceAll('\\n', '\n'), // as other programs write it
    prompt: body.trim(),
  };
  const unknown = filled.map(([field]) => field).filter((field) => !KNOWN.includes(field));
  return {
    agent,
    warnings: [
      ...unknown.map(
        (field) =>
          `${file}:${lineOf(field)}: there is no field "${field}". Known: ${KNOWN.join(', ')}.`,
      ),
      ...fieldsWithoutEffect(agent).map(
        (field) => `${file}:${lineOf(field)}: "${field}" has no effect yet.`,
      ),
    ],
  };
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  const isMissing = issue?.code === 'invalid_type' && issue.input === undefined;
  return isMissing ? 'missing' : (issue?.message ?? 'not valid').replace(/\.$/, '');
}
