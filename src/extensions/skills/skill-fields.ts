import { z } from 'zod';
import { Effort } from '../../core/agents/agent-definition.js';
import { UsageError } from '../../core/errors.js';
import { splitOutsideBraces } from '../../files/frontmatter.js';
import { Flag } from '../agents/agent-spec.js';
import { parseRuleList } from '../../permissions/rules/rule-list.js';

/** A text. YAML reads `version: 1.0` as a number. */
const text = z
  .union([z.string(), z.number(), z.boolean()], { error: 'must be a text' })
  .transform((value) => String(value).trim());

/** A hint such as `[file] [format]`, which YAML reads as a list. */
const hint = z.union(
  [text, z.array(text).transform((words) => words.map((word) => `[${word}]`).join(' '))],
  {
    error: 'must be a text',
  },
);

const lines = z.union([z.array(text), text], {
  error: 'must be a list, or a text with commas between its entries',
});

/** Names in a list, or in a text with blanks or commas between them. */
const names = lines.transform((value) =>
  typeof value === 'string' ? value.split(/[\s,]+/).filter((name) => name !== '') : value,
);

const patterns = lines.transform((value) =>
  typeof value === 'string' ? splitOutsideBraces(value) : value,
);

const rules = lines.transform((value, context) => {
  try {
    return (typeof value === 'string' ? [value] : value).flatMap((one) =>
      parseRuleList(one, 'tools'),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    context.addIssue({ code: 'custom', message: error.message.replace(/^tools: /, '') });
    return z.NEVER;
  }
});

const anything = z.unknown();

/** The fields of a `SKILL.md` and of a file of a folder `commands`, as their authors write them. */
export const SkillFields = z
  .object({
    name: text,
    description: text,
    when_to_use: text,
    version: text,
    'argument-hint': hint,
    arguments: names,
    'allowed-tools': rules,
    'disallowed-tools': rules,
    model: text,
    effort: Effort,
    context: z.enum(['inline', 'fork']),
    agent: text,
    background: Flag,
    shell: z.enum(['bash', 'powershell']),
    paths: patterns,
    'disable-model-invocation': Flag,
    'user-invocable': Flag,
    hooks: anything,
  })
  .partial();

/** Fields that restrict nothing. */
export const DROPPED_IF_INVALID: readonly string[] = [
  'name',
  'description',
  'when_to_use',
  'version',
  'argument-hint',
  'effort',
  'context',
  'background',
  'shell',
];

/** Published fields that only describe a skill. */
const DESCRIBING = ['metadata', 'license', 'compatibility'];

/** Every field with a meaning. */
export const KNOWN_FIELDS: readonly string[] = [...Object.keys(SkillFields.shape), ...DESCRIBING];
