import { useState } from 'preact/hooks';
import { unmistakable } from '../core/text/printable.js';
import type { LiveRequest } from '../cli/web/live-troupes.js';
import { DecideButton } from './decide-button.js';
import type { Decide } from './requests.js';

type Question = {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect?: boolean;
};

/** The labels that are chosen, and own words. */
type Answer = { readonly labels: readonly string[]; readonly words: string };

/** The questions of an agent: options to choose from, or own words. */
export function Questions({
  request,
  decide,
}: {
  readonly request: LiveRequest;
  readonly decide: Decide;
}) {
  const questions = (request.input['questions'] ?? []) as readonly Question[]; // checked when the agent asked
  const [answers, setAnswers] = useState<readonly Answer[]>(
    questions.map(() => ({ labels: [], words: '' })),
  );
  const given = answers.map(({ labels, words }) =>
    words.trim() === '' ? labels : [...labels, words.trim()],
  );
  return (
    <>
      {questions.map((question, at) => (
        <Choice
          key={at}
          id={`${request.requestId}-${at}`}
          question={question}
          answer={answers[at] ?? { labels: [], words: '' }}
          onAnswer={(answer) =>
            setAnswers(answers.map((one, index) => (index === at ? answer : one)))
          }
        />
      ))}
      <DecideButton
        isMain
        isUnready={given.some((one) => one.length === 0)}
        onDecide={() => decide({ behavior: 'allow', answers: given })}
      >
        Answer
      </DecideButton>
    </>
  );
}

function Choice({
  id,
  question: { question, options, multiSelect: isMany = false },
  answer: { labels, words },
  onAnswer,
}: {
  readonly id: string;
  readonly question: Question;
  readonly answer: Answer;
  readonly onAnswer: (answer: Answer) => void;
}) {
  const choose = (label: string, isChosen: boolean): void => {
    if (!isMany) return onAnswer({ labels: [label], words: '' });
    const others = labels.filter((one) => one !== label);
    onAnswer({ labels: isChosen ? [...others, label] : others, words });
  };
  return (
    <div role="group" aria-label={unmistakable(question)} class="question">
      <b>{unmistakable(question)}</b>
      {options.map(({ label, description }, index) => (
        <label key={index} class="option">
          <input
            type={isMany ? 'checkbox' : 'radio'}
            name={id}
            checked={labels.includes(label)}
            onChange={(event) => choose(label, event.currentTarget.checked)}
          />
          <span>
            <bdi>{unmistakable(label)}</bdi> <small>{unmistakable(description)}</small>
          </span>
        </label>
      ))}
      <input
        aria-label={`Own words for: ${unmistakable(question)}`}
        placeholder={isMany ? 'Also, in your own words' : 'Or your own words'}
        value={words}
        onInput={({ currentTarget: { value } }) =>
          onAnswer({ labels: isMany || value.trim() === '' ? labels : [], words: value })
        }
      />
    </div>
  );
}
