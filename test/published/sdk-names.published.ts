import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import recorded from '../fixtures/agent-sdk-names.json' with { type: 'json' };
import packages from './packages.json' with { type: 'json' };
import { PUBLISHED } from './support.js';

it('the recorded names are those of the published SDK', () => {
  const text = readFileSync(join(PUBLISHED, recorded.package, 'sdk.d.ts'), 'utf8');
  const declared = [
    ...text.matchAll(/^export declare (?:abstract )?(class|const|function|type|interface) (\w+)/gm),
  ];
  const namesOf = (...kinds: readonly string[]) =>
    declared
      .filter(([, kind = '']) => kinds.includes(kind))
      .map(([, , name]) => name)
      .toSorted();
  expect(recorded).toEqual({
    package: '@anthropic-ai/claude-agent-sdk',
    version: packages['@anthropic-ai/claude-agent-sdk'],
    values: namesOf('class', 'const', 'function'),
    types: namesOf('type', 'interface'),
  });
});
