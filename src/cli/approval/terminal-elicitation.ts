import type { ElicitationRequest, ElicitationValue, PermissionAnswer } from '../../api/types.js';
import { fieldsOfForm, readElicitation, type FormField } from '../../api/sessions/prompts.js';
import { oneLine, unmistakable } from '../../api/text.js';
import type { AskLine, LineChoices } from './terminal-questions.js';

/**
 * Put the question of an MCP server to a person, field by field; undefined if the terminal is closed. A line with only
 * `-` declines.
 */
export async function askElicitation(
  input: unknown,
  who: string,
  ask: AskLine,
): Promise<PermissionAnswer | undefined> {
  const request = readElicitation(input);
  if (request === undefined) return { behavior: 'deny', message: 'The question is invalid.' };
  const { serverName, message, requestedSchema } = request;
  const head = `\nThe MCP server ${shown(serverName)} asks, in a call of ${who}:\n  ${shown(message)}\n`;
  if (request.mode === 'url') return askForPage(request, head, ask);
  const content: [string, ElicitationValue][] = [];
  const fields = requestedSchema === undefined ? [] : fieldsOfForm(requestedSchema);
  if (fields.length === 0) return confirm(head, 'yes', ask);
  let text = head;
  for (const field of fields) {
    const answer = await askField(field, text, ask);
    if (answer === 'closed') return undefined;
    if (answer === 'declined') return { behavior: 'deny' };
    if (answer !== 'empty') content.push([field.name, answer.value]);
    text = '';
  }
  return accept(Object.fromEntries(content));
}

/** The person opens the page: Troupe does not visit it. */
function askForPage(
  { url = '' }: ElicitationRequest,
  head: string,
  ask: AskLine,
): Promise<PermissionAnswer | undefined> {
  const { host } = new URL(url); // checked before the request was made
  const lines = [
    `  It wants you to open a page of ${shown(host)} in your browser:`,
    `  ${unmistakable(new URL(url).href)}`,
    '  What you type there goes to that page, not to Troupe.',
    '',
  ];
  return confirm(`${head}${lines.join('\n')}`, 'I open it', ask);
}

async function confirm(
  text: string,
  yes: string,
  ask: AskLine,
): Promise<PermissionAnswer | undefined> {
  for (let next = text; ; next = '') {
    const said = (await ask(next, choicesFrom([yes, 'decline'], 'a number')))?.trim().toLowerCase();
    if (said === undefined) return undefined;
    if (['2', '-', 'n', 'no'].includes(said)) return { behavior: 'deny' };
    if (['1', 'y', 'yes'].includes(said)) return accept({});
  }
}

function accept(content: Readonly<Record<string, ElicitationValue>>): PermissionAnswer {
  return { behavior: 'allow', updatedInput: { action: 'accept', content } };
}

type FieldAnswer = { readonly value: ElicitationValue } | 'empty' | 'declined' | 'closed';

async function askField(field: FormField, head: string, ask: AskLine): Promise<FieldAnswer> {
  const choices = choicesOf(field);
  const how = howToAnswer(field);
  let text = `${head}${describeField(field)}${choices === undefined ? `  ${how}\n` : ''}`;
  for (;;) {
    const said = (await ask(text, choices))?.trim();
    if (said === undefined) return 'closed';
    if (said === '-') return 'declined';
    if (said === '' && field.default !== undefined) return { value: field.default };
    if (said === '' && !field.isRequired) return 'empty';
    const value = said === '' ? undefined : readValue(said, field);
    const problem = value === undefined ? howToAnswer(field) : field.problemOf(value);
    if (value !== undefined && problem === undefined) return { value };
    text = `  ${problem}\n`;
  }
}

/** Read a typed line as the value of a field; undefined if it cannot be one. */
export function readValue(
  typed: string,
  { kind, choices }: FormField,
): ElicitationValue | undefined {
  switch (kind) {
    case 'text':
      return typed;
    case 'number':
      return Number.isFinite(Number(typed)) ? Number(typed) : undefined;
    case 'yes or no':
      if (/^(?:1|y|yes|true)$/i.test(typed)) return true;
      return /^(?:2|n|no|false)$/i.test(typed) ? false : undefined;
    case 'one of':
      return choiceOf(typed, choices);
    case 'some of': {
      const values = typed.split(',').map((one) => choiceOf(one.trim(), choices));
      return values.some((one) => one === undefined)
        ? undefined
        : values.flatMap((one) => one ?? []);
    }
  }
  return kind satisfies never;
}

/** A choice by its number, its label or its value. */
function choiceOf(typed: string, choices: FormField['choices']): string | undefined {
  const named = choices.find(({ value, label }) => [value, label].includes(typed));
  return (named ?? choices[/^\d+$/.test(typed) ? Number(typed) - 1 : -1])?.value;
}

function describeField(field: FormField): string {
  const { label, description, isRequired, default: fallback } = field;
  const optional = isRequired || fallback !== undefined ? '' : ' (optional)';
  return [
    `  ${shown(label)}${description === '' ? '' : `: ${shown(description)}`}${optional}`,
    '',
  ].join('\n');
}

/** Undefined for a field without choices. */
function choicesOf(field: FormField): LineChoices | undefined {
  const { kind, choices } = field;
  const labels = kind === 'yes or no' ? ['yes', 'no'] : choices.map(({ label }) => label);
  return labels.length === 0
    ? undefined
    : { ...choicesFrom(labels, howToAnswer(field)), isMany: kind === 'some of' };
}

function choicesFrom(labels: readonly string[], how: string): LineChoices {
  const items = labels.map((label, index) => ({ value: String(index + 1), text: shown(label) }));
  return { items, isMany: false, how };
}

function howToAnswer({ kind, isRequired, default: fallback }: FormField): string {
  const how = {
    text: 'your answer',
    number: 'a number',
    'yes or no': 'a number',
    'one of': 'a number of the list',
    'some of': 'numbers of the list, such as 1,2',
  }[kind];
  const empty =
    fallback !== undefined
      ? ` · Enter takes ${shown(String(fallback))}`
      : isRequired
        ? ''
        : ' · Enter leaves it out';
  return `${how}${empty} · - declines`;
}

function shown(text: string): string {
  return oneLine(unmistakable(text), 1_000);
}
