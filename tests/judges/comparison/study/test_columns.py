"""What ways of judging are called."""

from judges.comparison.rules.study import RunFacts, name_columns


class TestNameColumns:
    def run(self, pk: int, key: str, gold: str = "original") -> RunFacts:
        return RunFacts(pk, f"id{pk}", key, key.title(), gold, f"{key}|{gold}")

    def test_the_first_run_of_a_judge_has_its_key(self) -> None:
        columns = name_columns([self.run(1, "exact_match"), self.run(2, "exact_match")])
        assert [column.key for column in columns.values()] == ["exact_match", "exact_match:id2"]

    def test_amended_gold_stands_beside_original_gold(self) -> None:
        columns = name_columns([self.run(1, "token_f1"), self.run(2, "token_f1", "amended-0123")])
        assert [(column.key, column.gold) for column in columns.values()] == [
            ("token_f1", "original"),
            ("token_f1:amended", "amended"),
        ]

    def test_runs_of_one_judge_are_told_apart_by_what_differs(self) -> None:
        one, other = (
            RunFacts(
                pk,
                f"id{pk}",
                "llm",
                "LLM judge",
                "original",
                f"judge:llm|prompt:{prompt}|seed:0",
                (("judge", "llm"), ("prompt", prompt), ("seed", "0")),
            )
            for pk, prompt in ((1, "structured"), (2, "kamalloo"))
        )
        names = [column.name for column in name_columns([one, other]).values()]
        assert names == ["LLM judge, prompt structured", "LLM judge, prompt kamalloo"]
        assert name_columns([one])[1].name == "LLM judge"

    def test_runs_that_have_not_seen_all_answers_are_called_so(self) -> None:
        runs = [
            self.run(1, "bem")._replace(is_partial=True, judged=1200),
            self.run(2, "bem"),
            self.run(3, "bem")._replace(is_partial=True, judged=1),
        ]
        assert [column.name for column in name_columns(runs).values()] == [
            "Bem, 1,200 answers so far",
            "Bem",
            "Bem, 1 answer so far",
        ]

    def test_recorded_verdicts_have_a_gold_list_of_their_own(self) -> None:
        columns = name_columns([self.run(1, "recorded:bem", "as-recorded")])
        assert columns[1].gold is None
