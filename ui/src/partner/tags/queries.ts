import { useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { useWrite } from "../../api/write";

export type Tag = Body<"/api/tags">["tags"][number];

export function useTags() {
  return useQuery({
    queryKey: ["/api/tags"],
    queryFn: ({ signal }) => answer(api.GET("/api/tags", { signal })),
    select: ({ tags }) => tags,
  });
}

export const useAddTag = () =>
  useWrite("/api/tags", (name: string) => answer(api.POST("/api/tags", { body: { name } })));

export const useRemoveTag = () =>
  useWrite("/api/tags", (tag: Tag) => answer(api.DELETE("/api/tags/{id}", { params: { path: { id: tag.id } } })));
