package p;

public interface Shape {
    int area();

    Shape scaled(int by);
}
