import { expect, it } from "vitest";
import { answerWords } from "./answer";

it("names an answer in which nothing is to be seen, and leaves any other as it is", () => {
  expect(["", " \n", " Paris "].map(answerWords)).toEqual(["(empty)", "(empty)", " Paris "]);
});
