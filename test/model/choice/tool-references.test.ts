import { expect, it } from 'vitest';
import { takesToolReferences } from '../../../src/model/choice/tool-references.js';

it.each([
  'claude-sonnet-5-5',
  'claude-haiku-5-5',
  'claude-fable-5',
  'claude-haiku-4-5-20251001',
  'claude-opus-4-5',
  'claude-opus-10',
  'anthropic/claude-sonnet-4.6',
  'us.anthropic.claude-opus-4-8-20260101-v1:0',
  'claude-haiku-4-5@20251001',
])('takes tool references: %s', (model) => {
  expect(takesToolReferences(model)).toBe(true);
});

it.each([
  'claude-opus-4-1',
  'claude-opus-4-1-20250805',
  'claude-sonnet-4-20250514',
  'claude-sonnet-4-0',
  'claude-sonnet-4@20250514',
  'claude-3-5-haiku-20241022',
  'claude-3-7-sonnet-latest',
  'claude-instant-1.2',
  'claude-2.1',
  'scripted',
  'glm-5.1',
  '',
])('takes none: %s', (model) => {
  expect(takesToolReferences(model)).toBe(false);
});
