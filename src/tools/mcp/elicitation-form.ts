import { z } from 'zod';
import type { ElicitationSchema, ElicitationValue } from '../../core/agents/elicitation.js';
import { describeIssue, quotedField } from '../../core/text/describe-issue.js';

type Content = Readonly<Record<string, ElicitationValue>>;

/** A field of a form, as a person fills it in. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'number' | 'yes or no' | 'one of' | 'some of';
  /** Values to choose from, with their labels. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly default: ElicitationValue | undefined;
  /** Why a value cannot be used; undefined if it can. */
  problemOf(value: ElicitationValue): string | undefined;
};

/** The fields of a form. @throws TypeError if a default does not fit its own schema */
export function fieldsOfForm({
  properties,
  required = [],
}: ElicitationSchema): readonly FormField[] {
  return Object.entries(properties).map(([name, schema]) => {
    const check = checkOf(schema);
    const choices = choicesOf(schema);
    const field = {
      name,
      label: textOf(schema['title']) ?? name,
      description: textOf(schema['description']) ?? '',
      isRequired: required.includes(name),
      kind: kindOf(schema, choices.length > 0),
      choices,
      problemOf: problemBy(check),
    } as const;
    const fallback = Value.safeParse(schema['default']).data;
    if (fallback === undefined) return { ...field, default: undefined };
    const problem = field.problemOf(fallback);
    if (problem !== undefined)
      throw new TypeError(`the default of "${name}" does not fit its own schema: ${problem}`);
    return { ...field, default: fallback };
  });
}

/** Complete the values of a form with its defaults. @throws TypeError that names the first field that is wrong */
export function fillForm(schema: ElicitationSchema, given: unknown): Content {
  const values = Values.safeParse(given);
  if (!values.success) throw new TypeError('the content must be an object of fields');
  const fields = fieldsOfForm(schema);
  const unknown = Object.keys(values.data).find((name) => fields.every((one) => one.name !== name));
  if (unknown !== undefined) throw new TypeError(`the form has no field "${unknown}"`);
  return Object.fromEntries(
    fields.flatMap(({ name, isRequired, default: fallback, problemOf }) => {
      const value = Object.hasOwn(values.data, name) ? values.data[name] : fallback;
      if (value === undefined) {
        if (isRequired) throw new TypeError(`"${name}" is required`);
        return [];
      }
      const problem = problemOf(value);
      if (problem !== undefined) throw new TypeError(`"${name}": ${problem}`);
      return [[name, value]];
    }),
  );
}

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const Values = z.record(z.string(), Value);
const Choices = z.array(z.object({ const: z.string(), title: z.string() }));

type Schema = Readonly<Record<string, unknown>>;

/** Fields of the kinds that servers may use. `z.fromJSONSchema` would bring code for all kinds into each start. */
function checkOf(schema: Schema): z.ZodType {
  const values = choicesOf(schema).map(({ value }) => value);
  const one = values.length > 0 ? z.enum(values) : undefined;
  const kind = kindOf(schema, values.length > 0);
  switch (kind) {
    case 'yes or no':
      return z.boolean();
    case 'number':
      return (schema['type'] === 'integer' ? z.int() : z.number())
        .min(limitOf(schema['minimum']) ?? -Infinity)
        .max(limitOf(schema['maximum']) ?? Infinity);
    case 'some of':
      return z
        .array(one ?? z.string())
        .min(limitOf(schema['minItems']) ?? 0)
        .max(limitOf(schema['maxItems']) ?? Infinity);
    case 'one of':
    case 'text':
      return one ?? textBy(schema);
    default:
      return kind satisfies never;
  }
}

function textBy(schema: Schema): z.ZodType {
  const text = z
    .string()
    .min(limitOf(schema['minLength']) ?? 0)
    .max(limitOf(schema['maxLength']) ?? Infinity);
  switch (schema['format']) {
    case 'email':
      return text.check(z.email());
    case 'uri':
      return text.check(z.url());
    case 'date':
      return text.check(z.iso.date());
    case 'date-time':
      return text.check(z.iso.datetime({ offset: true }));
    default:
      return text;
  }
}

function limitOf(limit: unknown): number | undefined {
  return typeof limit === 'number' ? limit : undefined;
}

function problemBy(check: z.ZodType): FormField['problemOf'] {
  return (value) => {
    const { error } = check.safeParse(value);
    const [issue] = error?.issues ?? [];
    return issue === undefined ? undefined : describeIssue(issue, value, quotedField('it'));
  };
}

function choicesOf(schema: Schema): FormField['choices'] {
  const items = z.record(z.string(), z.unknown()).safeParse(schema['items']).data;
  const { oneOf, anyOf = oneOf, enum: names, enumNames: labels } = { ...schema, ...items };
  const titled = Choices.safeParse(anyOf).data;
  if (titled !== undefined)
    return titled.map(({ const: value, title }) => ({ value, label: title }));
  const values = z.array(z.string()).safeParse(names).data ?? [];
  const shown = z.array(z.string()).safeParse(labels).data ?? [];
  return values.map((value, index) => ({ value, label: shown[index] ?? value }));
}

function kindOf(
  { type }: Readonly<Record<string, unknown>>,
  hasChoices: boolean,
): FormField['kind'] {
  if (type === 'array') return 'some of';
  if (type === 'boolean') return 'yes or no';
  if (type === 'number' || type === 'integer') return 'number';
  return hasChoices ? 'one of' : 'text';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
