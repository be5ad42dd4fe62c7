import { z } from 'zod';
import { describeIssue, quotedField } from '../../core/text/describe-issue.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { PermissionBehavior, PermissionMode } from '../../core/permission-types.js';
import { parseRule } from '../rules/rule.js';

const Rule = z.string().superRefine((text, { addIssue }) => {
  const parsed = parseRule(text);
  if (!parsed.ok) addIssue({ code: 'custom', message: parsed.message });
});
const rules = z.array(Rule).default([]);
const texts = z.record(z.string(), z.string());

const Common = z.object({
  id: z.string(),
  mode: PermissionMode.default('default'),
  allow: rules,
  deny: rules,
  ask: rules,
  expect: PermissionBehavior,
});

/** A command line of Bash. */
const ShellCase = z
  .object({ ...Common.shape, command: z.string() })
  .transform((one) => ({ ...one, kind: 'shell' as const }));
/** One path, and the links that are on the way: link → target. */
const PathCase = z
  .object({
    ...Common.shape,
    tool: z.enum(['Read', 'Edit', 'Write', 'NotebookEdit']),
    path: z.string(),
    symlinks: texts.default({}),
    additional: z.array(z.string()).default([]),
  })
  .transform((one) => ({ ...one, kind: 'path' as const }));
/** One address, what its host and those of its redirects resolve to, and where it leads on. */
const WebCase = z
  .object({
    ...Common.shape,
    url: z.string(),
    resolves: z.record(z.string(), z.array(z.string())).default({}),
    redirects: z.array(z.string()).default([]),
  })
  .transform((one) => ({ ...one, kind: 'web' as const }));

/** One expectation about the decision of rules. Its fields tell its kind; unknown fields are ignored. */
export type EvalCase = z.infer<typeof ShellCase | typeof PathCase | typeof WebCase>;

type ReadCase =
  /** `warnings`: ignored fields that look like a misspelt field of a case. */
  | { readonly ok: true; readonly value: EvalCase; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Read one line of a file of cases. */
export function readEvalCase(line: string): ReadCase {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return bad(`this is not JSON: ${(error as Error).message}`); // JSON.parse throws a SyntaxError
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return bad('a case is a JSON object');
  if ('command' in json) return read(ShellCase, json);
  if ('url' in json) return read(WebCase, json);
  if ('path' in json) return read(PathCase, json);
  return bad('a case has a "command", a "path" with its "tool", or a "url"');
}

function read(schema: z.ZodType<EvalCase>, json: object): ReadCase {
  const parsed = schema.safeParse(json);
  return parsed.success
    ? {
        ok: true,
        value: parsed.data,
        warnings: Object.keys(json).flatMap((key) => nearMiss(key, parsed.data, json)),
      }
    : bad(parsed.error.issues.map((issue) => describeIssue(issue, json, nameOf)).join('; '));
}

function nearMiss(key: string, value: EvalCase, json: object): readonly string[] {
  if (Object.hasOwn(value, key)) return [];
  const absent = Object.keys(value).filter((name) => name.length > 2 && !Object.hasOwn(json, name));
  const nearest = nearestName(key, absent, key.length > 4 ? 2 : 1);
  return nearest === undefined
    ? []
    : [`"${key}" is no field of a case. Did you mean "${nearest}"?`];
}

const nameOf = quotedField('the case');

function bad(message: string): ReadCase {
  return { ok: false, message };
}
