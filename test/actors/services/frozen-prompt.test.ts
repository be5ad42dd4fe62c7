import { describe, expect, it } from 'vitest';
import {
  createPromptSharing,
  type FrozenPrompt,
} from '../../../src/actors/services/frozen-prompt.js';

const schema = { type: 'object' as const };
const promptOf = (system: string, description = 'Reads.', input_schema = schema): FrozenPrompt => ({
  system: [system],
  tools: [{ name: 'Read', description, input_schema }],
});

describe('sharing of prompts', () => {
  it('gives agents with equal prompts the same one', () => {
    const share = createPromptSharing();
    const first = share(promptOf('You read.'));
    expect(share(promptOf('You read.'))).toBe(first);
  });

  it.each([
    ['another system prompt', promptOf('You write.')],
    ['another description of a tool', promptOf('You read.', 'Reads a file.')],
    ['another schema of a tool', promptOf('You read.', 'Reads.', { type: 'object' })],
    ['one tool less', { ...promptOf('You read.'), tools: [] }],
    [
      'a tool that waits for a search',
      {
        system: ['You read.'],
        tools: promptOf('You read.').tools.map((tool) => ({
          ...tool,
          defer_loading: true as const,
        })),
      },
    ],
  ] as const)('keeps %s apart', (_, other) => {
    const share = createPromptSharing();
    share(promptOf('You read.'));
    expect(share(other)).toBe(other);
  });

  it('remembers the newest prompts only', () => {
    const share = createPromptSharing();
    const first = share(promptOf('number 0'));
    for (let number = 1; number <= 16; number += 1) share(promptOf(`number ${number}`));
    expect(share(promptOf('number 0'))).not.toBe(first);
  });
});
