"""Items: questions, gold answers, systems, predictions, passages, pooled candidates, and imports."""

from annotation.items.models.hidden import (
    GoldAnswer,
    Passage,
    Prediction,
    RetrievedPassage,
    System,
)
from annotation.items.models.imports import DataImport
from annotation.items.models.questions import Candidate, Question, QuestionCorrection
