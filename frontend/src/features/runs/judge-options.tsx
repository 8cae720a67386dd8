/** A judge's own options, made from its description; where there are many they stand aside. */
import type { Judge } from "../../api/contract";
import { Fields } from "../../components/form";
import { More } from "../../components/list";
import { OptionField } from "./option-field";
import { defaultsOf } from "./option-values";

const MOST_IN_SIGHT = 5;

interface JudgeOptionsProps {
  readonly judge: Judge;
  readonly texts: Readonly<Record<string, string>>;
  readonly complaint: (name: string) => string | null;
  readonly onChange: (name: string, text: string) => void;
}

export function JudgeOptions(props: JudgeOptionsProps) {
  const { judge, complaint } = props;
  const typed = judge.options.filter(isTyped);
  if (typed.length <= MOST_IN_SIGHT) return <OptionFields {...props} />;
  return (
    <More summary="Further options" open={typed.some(({ name }) => complaint(name))}>
      <Fields>
        <OptionFields {...props} />
      </Fields>
    </More>
  );
}

function OptionFields({ judge, texts, complaint, onChange }: JudgeOptionsProps) {
  const defaults = defaultsOf(judge);
  return judge.options
    .filter(isTyped)
    .map((option) => (
      <OptionField
        key={option.name}
        option={option}
        value={texts[option.name] ?? defaults[option.name] ?? ""}
        error={complaint(option.name)}
        onChange={(text) => onChange(option.name, text)}
      />
    ));
}

/** Those that have a field of their own are chosen, not typed. */
function isTyped({ name }: Judge["options"][number]): boolean {
  return name !== "prompt" && name !== "members";
}
