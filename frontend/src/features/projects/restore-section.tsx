/** Makes a project of a bundle: a file with a whole study, as the Export page writes it. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { describeFile, once } from "../../api/actions";
import { api, keyed, read } from "../../api/client";
import { FileDrop } from "../../components/file-drop";
import { Refusal } from "../../components/form";
import { More } from "../../components/list";
import { ProgressBar } from "../../components/progress-bar";
import { useWrite } from "../../components/use-write";
import { countOf, formatBytes } from "../../lib/numbers";

function restoreProject(file: File) {
  const form = new FormData();
  form.append("file", file, file.name);
  return once(JSON.stringify(["/api/bundles", describeFile(file)]), async (key) => {
    const { data } = await api.POST("/api/bundles", {
      body: { file: file.name },
      bodySerializer: () => form,
      headers: keyed(key),
    });
    return data as NonNullable<typeof data>;
  });
}

export function RestoreSection() {
  const limits = useQuery({ ...read("/api/bundles"), staleTime: Infinity });
  const navigate = useNavigate();
  const restoring = useWrite(restoreProject, {
    stale: [read("/api/projects").queryKey],
    onDone: (project) => navigate({ to: `/${project.slug}/overview` as "/" }),
  });
  const largest = limits.data
    ? ` Up to ${formatBytes(limits.data.file_bytes)} and ${countOf(limits.data.rows, "row")}; an administrator can restore larger bundles.`
    : "";
  return (
    <More summary="Restore a project from a bundle">
      <div className="fields">
        <p className="soft">
          A bundle is a whole project in one file, exported from this or another Assay server. You become a
          lead of the new project. Its members keep their names and votes but cannot sign in, so invite those
          who will continue to work. You also need to enter the API keys of its model connections again.
        </p>
        {restoring.isPending ? (
          <ProgressBar
            label="Restoring the project"
            done={0}
            total={null}
            note={`Restoring ${formatBytes(restoring.variables.size)}`}
          />
        ) : (
          <FileDrop
            label="Drop a bundle here, or choose one"
            hint={`A file that Assay exported, with “_bundle.zip” at the end of its name.${largest}`}
            accept=".zip"
            multiple={false}
            onFiles={([file]) => file && restoring.mutate(file)}
          />
        )}
        <Refusal error={restoring.error} />
      </div>
    </More>
  );
}
