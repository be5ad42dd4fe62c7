// The pages of the built-in tools: the table of all tools, and one page for each.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const EXAMPLES = JSON.parse(readFileSync(new URL('tool-examples.json', import.meta.url), 'utf8'));

/** Kinds of permission targets: what rules name, and the forms of rules for a tool. */
const TARGETS = {
  read: {
    names: 'paths',
    forms: (name) => [
      [name, 'every call'],
      ['Read(/src/**)', 'reads in the folder `src` of the project, by any tool'],
    ],
  },
  write: {
    names: 'paths',
    forms: (name) => [
      [name, 'every call'],
      ['Edit(/src/**)', 'changes in the folder `src` of the project, by any tool'],
    ],
  },
  shell: {
    names: 'commands',
    forms: (name) => [
      [name, 'every command'],
      [`${name}(npm run build)`, 'exactly this command'],
      [`${name}(npm test *)`, '`npm test` with any arguments'],
      ...(name === 'Bash' ? [] : [['Bash(npm test *)', 'the same: rules for Bash apply too']]),
    ],
  },
  keys: {
    names: 'typed text',
    forms: (name) => [
      [name, 'every text'],
      [`${name}(npm test *)`, 'text that begins like this'],
      ['Bash(npm test *)', 'in deny and ask rules: the same'],
    ],
  },
  script: {
    names: 'commands',
    forms: (name) => [
      [name, 'every command'],
      [`${name}(Get-ChildItem:*)`, 'one plain command with any plain arguments'],
    ],
  },
  web: {
    names: 'hosts',
    forms: (name) => [
      [name, 'every public host'],
      [`${name}(domain:example.com)`, 'this host'],
      [`${name}(domain:*.example.com)`, 'every host below it'],
    ],
  },
  name: {
    names: 'names',
    forms: (name, target) => [
      [name, 'every call'],
      [`${name}(${target})`, 'this name; `*` stands for any text'],
    ],
  },
  person: {
    names: 'a person answers',
    forms: (name) => [
      [name, 'in deny rules: every call. A person answers each call; no rule allows it'],
    ],
  },
  none: { names: 'the tool', forms: (name) => [[name, 'every call']] },
};

/** @returns the text of each page, by its path below docs/reference, without the extension */
export function toolPages({ tools, toModelTools, parseToolInput, agents, made, table, code }) {
  const sorted = tools.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const page = (tool) => {
    const { name, aliases = [] } = tool;
    const [{ description, input_schema }] = toModelTools([tool], { agents, cwd: '/project' });
    const rows = factsOf(tool).map(([label, , value]) => [label, value]);
    return [
      `# ${name}`,
      `${made} [All tools](../tools.md).`,
      table(['property', 'value'], [['aliases', aliases.map(code).join(', ') || 'none'], ...rows]),
      `## Description for the model\n\n\`\`\`text\n${description}\n\`\`\``,
      `## Input\n\n${block('ts', shape(input_schema))}`,
      `## Output\n\nThe \`data\` of the result, for programs.\n\n${block('ts', shape(z.toJSONSchema(tool.outputSchema, { unrepresentable: 'any' })))}`,
      `## Permission rules\n\n${table(
        ['rule', 'covers'],
        formsOf(tool).map(([rule, covers]) => [code(rule), covers]),
      )}\n\n[Permissions](../../use/permissions.md) has the order of rules, and the calls that need none.`,
      `## Examples\n\n${examplesOf(name)}`,
    ].join('\n\n');
  };

  const examplesOf = (name) => {
    const { good, bad } = examplesFor(name);
    const accepted = good.map((input) => {
      const parsed = parseToolInput(name, JSON.stringify(input));
      if (!parsed.success)
        throw new Error(`The good example of ${name} is refused: ${parsed.error}`);
      return block('json', JSON.stringify(input));
    });
    const refused = bad.map((input) => {
      const parsed = parseToolInput(name, JSON.stringify(input));
      if (parsed.success) throw new Error(`A bad example of ${name} is accepted.`);
      return `${block('json', JSON.stringify(input))}\n\n${block('text', parsed.error)}`;
    });
    return [
      'Accepted:',
      ...accepted,
      ...(refused.length === 0 ? [] : ['Refused, with the error that the model gets:', ...refused]),
    ].join('\n\n');
  };

  const overview = table(
    ['tool', 'aliases', ...factsOf(sorted[0]).map(([, head]) => head)],
    sorted.map((tool) => [
      `[${tool.name}](tools/${tool.name}.md)`,
      (tool.aliases ?? []).map(code).join(', '),
      ...factsOf(tool).map(([, , value]) => value),
    ]),
  );
  return {
    tools: [
      '# Tools',
      `${made} [Permissions](../use/permissions.md) says which of their calls ask.`,
      overview,
      '"By input": the input decides. Deferred tools wait for [ToolSearch](../use/mcp.md#many-tools) unless somebody names them. A longer result goes to a file of the session. A new message of the user cancels a call, or waits for it.',
    ].join('\n\n'),
    ...Object.fromEntries(sorted.map((tool) => [`tools/${tool.name}`, page(tool)])),
  };
}

/** The properties of a tool: the label of each, its head in a table of many tools, and its value. */
function factsOf(tool) {
  const { maxResultSizeChars: most } = tool;
  return [
    ['only reads', 'only reads', answerOf(tool.isReadOnly)],
    ['runs in parallel with others', 'in parallel', answerOf(tool.isConcurrencySafe)],
    ['permission rules name', 'rules name', TARGETS[targetOf(tool).kind].names],
    ['waits for ToolSearch', 'deferred', isDeferred(tool) ? 'yes' : 'no'],
    [
      'most characters of a result',
      'most characters',
      Number.isFinite(most) ? most.toLocaleString('en-US') : 'no limit',
    ],
    [
      'a new message of the user',
      'a new message',
      tool.interruptBehavior?.() === 'cancel' ? 'cancels' : 'waits',
    ],
  ];
}

function isDeferred({ shouldDefer, alwaysLoad }) {
  return shouldDefer === true && alwaysLoad !== true;
}

function formsOf(tool) {
  const { kind, name } = targetOf(tool);
  return TARGETS[kind].forms(tool.name, name);
}

/** The target of the first good example, as rules see it. */
function targetOf(tool) {
  if (tool.requiresUserInteraction?.() === true) return { kind: 'person' };
  const [input] = examplesFor(tool.name).good;
  const target = tool.permissionTarget?.(tool.inputSchema.parse(input)) ?? { kind: 'none' };
  if (target.kind === 'paths') return { kind: target.paths[0].access };
  return target.isPartial === true ? { kind: 'keys' } : target;
}

function examplesFor(name) {
  const examples = EXAMPLES[name];
  if (examples === undefined) throw new Error(`scripts/tool-examples.json has no ${name}.`);
  return examples;
}

/** A predicate with a parameter looks at the input. */
function answerOf(predicate) {
  if (predicate.length > 0) return 'by input';
  return predicate() === true ? 'yes' : 'no';
}

function block(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A JSON schema in the notation of TypeScript, with the descriptions and limits as comments. */
function shape(schema, indent = '') {
  const { type, enum: values, anyOf, oneOf = anyOf } = schema;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (oneOf !== undefined) return oneOf.map((one) => shape(one, indent)).join(' | ');
  if (type === 'array') {
    const item = shape(schema.items ?? {}, indent);
    return / \| /.test(item.replaceAll(/\{.*\}/gs, '')) ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'integer') return 'number';
  if (type !== 'object') return type ?? 'unknown';
  const { properties, required = [], additionalProperties: more } = schema;
  if (properties === undefined)
    return `Record<string, ${typeof more === 'object' ? shape(more, indent) : 'unknown'}>`;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, field]) => {
    const note = noteOf(field);
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const comment = note === '' ? '' : `${inner}/** ${note} */\n`;
    return `${comment}${inner}${key}${required.includes(name) ? '' : '?'}: ${shape(field, inner)};`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

const LIMITS = {
  minimum: 'at least',
  exclusiveMinimum: 'above',
  maximum: 'at most',
  minLength: 'least characters:',
  maxLength: 'most characters:',
  minItems: 'least items:',
  maxItems: 'most items:',
  default: 'default:',
};

function noteOf(field) {
  const limits = Object.entries(LIMITS).flatMap(([key, words]) =>
    field[key] === undefined || Math.abs(field[key]) === Number.MAX_SAFE_INTEGER
      ? []
      : [`${words} ${JSON.stringify(field[key])}`],
  );
  const { description = '' } = field;
  return [description, limits.join(', ')]
    .filter((part) => part !== '')
    .join('; ')
    .replaceAll('*/', '* /');
}
